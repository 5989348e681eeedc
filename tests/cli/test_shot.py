"""`tenball break` and `tenball shot`: a shot from the stroke to the ruling."""

from __future__ import annotations

import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rules
import sim
from rules import notation
from sim.cli.main import main
from sim.shot.files import parse_shot
from sim.shot.packing import CUSHION_MODELS
from sim.shot.picture import describe

BREAK = ("break", "--seed", "7", "--speed", "9")


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    captured = capsys.readouterr()
    return captured.out


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    return json.loads(output_of(capsys, *arguments, "--json"))


@pytest.mark.parametrize("ruleset", rules.RULESETS)
def test_the_printed_record_judged_again_gives_the_printed_ruling(
    ruleset: str, capsys: pytest.CaptureFixture[str]
):
    data = data_of(capsys, *BREAK, "--ruleset", ruleset)
    state = notation.parse_state(data["state"])
    assert state.ruleset == rules.ruleset(ruleset)
    ruling = rules.adjudicate(
        state,
        notation.parse_declaration(data["declaration"]),
        notation.parse_record(data["record"]),
    )
    assert json.loads(json.dumps(ruling.as_dict())) == data["ruling"]
    assert notation.format_state(ruling.state) == data["state_after"]


def test_same_options_same_bytes(capsys: pytest.CaptureFixture[str]):
    one, two = (output_of(capsys, *BREAK, "--json") for _ in range(2))
    assert one == two


def test_data_is_the_simulated_shot(capsys: pytest.CaptureFixture[str]):
    data = data_of(capsys, *BREAK)
    shot = parse_shot(json.dumps(data["shot"]))
    assert shot.layout == sim.rack(sim.Table.wpa_9ft(), 7)
    result = sim.simulate(shot.layout, shot.stroke, stick=shot.stick)
    assert [(e["t"], e["kind"], e["ball"], e["other"]) for e in data["events"]] == [
        (e.t, e.kind, e.ball, e.other) for e in result.events
    ]
    assert data["duration"] == result.duration
    assert {int(ball) for ball in data["final"]} == set(result.final.balls)
    assert {int(ball): place for ball, place in data["pocketed"].items()} == result.pocketed


def test_the_printed_shot_played_again_is_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    data = data_of(capsys, *BREAK, "--order", "lbm", "--ruleset", "lbm", "--side", "0.2")
    file = tmp_path / "again.json"
    file.write_text(json.dumps(data["shot"]), encoding="utf-8")
    assert data_of(capsys, "shot", str(file)) == data


def test_text_names_events_ruling_article_and_states(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    picture = tmp_path / "break.svg"
    text = output_of(capsys, *BREAK, "--ruleset", "wpa09", "--picture", str(picture))
    data = data_of(capsys, *BREAK, "--ruleset", "wpa09")
    lines = text.splitlines()
    table = [line.split() for line in lines if line.lstrip()[:2] in ("0.", "1.", "2.")]
    assert table[0][1] == "cue_strike"
    assert f"article {data['ruling']['article']}: " in text
    for key in ("state", "record", "state_after", "declaration"):
        assert any(line.endswith(data[key]) for line in lines)
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    titles = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}title")]
    for ball in range(11):
        name = "cue ball" if ball == 0 else f"ball {ball}"
        assert sum(title.startswith(f"{name}: ") for title in titles) == 1


def test_options_reach_the_stroke(capsys: pytest.CaptureFixture[str]):
    shot = data_of(
        capsys, "break", "--speed", "5", "--azimuth-deg", "90", "--elevation-deg", "30", "--side",
        "-0.1", "--vertical", "0.2", "--table", "wpa_7ft", "--stick", "playing", "--gap", "0",
        "--cue", "0.5", "0.4",
    )["shot"]  # fmt: skip
    assert shot["table"] == "wpa_7ft"
    assert shot["layout"]["0"] == [0.5, 0.4]
    assert shot["stroke"] == {
        "speed": 5.0,
        "azimuth": pytest.approx(1.5707963),
        "side": -0.1,
        "vertical": 0.2,
        "elevation": pytest.approx(0.5235988),
    }
    assert "stick" not in shot


def test_lbm_racks_its_own_way(capsys: pytest.CaptureFixture[str]):
    layout = parse_shot(json.dumps(data_of(capsys, *BREAK, "--ruleset", "lbm")["shot"])).layout
    assert layout == sim.rack(sim.Table.wpa_9ft(), 7, order="lbm")


SHOT = {
    "tenball_shot": 1,
    "layout": {"0": [0.635, 1.2], "1": [0.635, 1.7], "10": [0.3, 2.2]},
    "stroke": {"speed": 3.0, "azimuth": 1.5707963},
}


def written(tmp_path: Path, **changes: object) -> str:
    path = tmp_path / "shot.json"
    path.write_text(json.dumps({**SHOT, **changes}), encoding="utf-8")
    return str(path)


def test_shot_without_a_ruleset_is_not_ruled(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    file = written(tmp_path)
    assert "no ruling: no ruleset is named" in output_of(capsys, "shot", file)
    assert "ruling" not in data_of(capsys, "shot", file)
    ruled = data_of(capsys, "shot", file, "--ruleset", "ten")
    assert ruled["state"].startswith("ten ")
    assert ruled["ruling"]["on_table_after"] == [1, 10]


@pytest.mark.parametrize(
    ("call", "declaration"),
    [
        ({"ball": 1, "pocket": "foot_left"}, "1@foot_left"),
        ("safety", "safety"),
        ("push_out", "push_out"),
    ],
)
def test_calls(call: object, declaration: str, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    data = data_of(capsys, "shot", written(tmp_path, call=call, ruleset="wpa09"))
    assert data["declaration"] == declaration


def test_state_of_the_file_is_the_state(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    state = "wpa09 B/A 5 1,10 position 0-2 B - -"
    assert data_of(capsys, "shot", written(tmp_path, state=state))["state"] == state


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"ruleset": "bca"}, "ruleset: got 'bca'"),
        ({"ruleset": "ten", "call": "break"}, "got the balls [1, 10], expected those of the break"),
        (
            {"state": "wpa09 B/A 5 1,2,10 position 0-2 B - -"},
            "got the balls [1, 10], expected those of the state, [1, 2, 10]",
        ),
        ({"state": "nonsense"}, "state: column 9: got 1 words"),
        ({"layout": {"0": [0.5, 0.5], "1": [0.5, 0.55], "10": [1, 1]}}, "overlap by 7.15 mm"),
        ({"cushion_model": "none such"}, "none such"),
    ],
)
def test_shots_that_cannot_be_are_refused(
    changes: dict, part: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    picture = tmp_path / "p.svg"
    assert main(["shot", written(tmp_path, **changes), "--picture", str(picture)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert part in captured.err
    assert captured.err.count("\n") == 1
    assert not picture.exists()


def test_closed_overlaps_are_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    file = written(tmp_path, layout={"0": [0.5, 0.5], "1": [0.5, 0.557149], "10": [1, 1]})
    note = "balls 0 and 1 overlapped by 1e-06 m"
    assert f"closed on loading: {note}" in output_of(capsys, "shot", file)
    assert data_of(capsys, "shot", file)["closed"] == [note]


def test_shot_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(SHOT)))
    assert data_of(capsys, "shot", "-")["shot"]["stroke"]["speed"] == 3.0
    monkeypatch.setattr("sys.stdin", io.StringIO("{"))
    assert main(["shot", "-"]) == 2
    assert capsys.readouterr().err.startswith("tenball: standard input: line 1")


def test_a_picture_that_cannot_be_written_prints_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    assert main([*BREAK, "--picture", str(tmp_path / "no" / "p.svg")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "cannot be written" in captured.err


def test_picture_of_a_real_break_ends_where_the_balls_end():
    layout = sim.rack(sim.Table.wpa_9ft(), 7)
    result = sim.simulate(layout, sim.Stroke(9.0, 1.586))
    for ball in describe(result).balls:
        if ball.fate == "table":
            assert ball.end == pytest.approx(tuple(result.final[ball.ball]), abs=1e-9)
        assert ball.start == tuple(layout[ball.ball])


VARIED = "wpa09{three_point_break_rule=true}"


def test_a_variation_is_named_like_a_ruleset_and_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    shot = data_of(capsys, *BREAK, "--ruleset", VARIED)["shot"]
    assert shot["ruleset"] == VARIED
    path = tmp_path / "shot.json"
    path.write_text(json.dumps(shot), encoding="utf-8")
    assert f"ruling under {VARIED}\n" in output_of(capsys, "shot", str(path))
    assert "ruling under wpa09\n" in output_of(capsys, "shot", str(path), "--ruleset", "wpa09")


def test_the_ruleset_asked_for_replaces_the_variation_of_the_files_state(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    state = f"{VARIED} A/A 1 1-10 in_hand_behind_head_string 0-0 - - -"
    shot = data_of(capsys, *BREAK)["shot"] | {"ruleset": VARIED, "state": state}
    path = tmp_path / "shot.json"
    path.write_text(json.dumps(shot), encoding="utf-8")
    assert f"ruling under {VARIED}\n" in output_of(capsys, "shot", str(path))
    assert "ruling under wpa09\n" in output_of(capsys, "shot", str(path), "--ruleset", "wpa09")


def test_the_cushion_model_is_played_recorded_and_played_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    """It could be chosen in Python only."""
    asked = (*BREAK, "--cushion-model", "han2005")
    data = data_of(capsys, *asked)
    assert data["shot"]["cushion_model"] == "han2005"
    shot = parse_shot(json.dumps(data["shot"]))
    result = sim.simulate(shot.layout, shot.stroke, stick=shot.stick, cushion_model="han2005")
    assert data["duration"] == result.duration != data_of(capsys, *BREAK)["duration"]
    assert "cushion model han2005" in output_of(capsys, *asked)
    path = tmp_path / "a.json"
    path.write_text(json.dumps(data["shot"]), encoding="utf-8")
    again = data_of(capsys, "shot", str(path))
    assert again == data
    other = data_of(capsys, "shot", str(path), "--cushion-model", "measured")
    assert other["shot"]["cushion_model"] == "measured"
    assert other["events"] == data_of(capsys, *BREAK)["events"]


@pytest.mark.parametrize("command", ["break", "shot"])
def test_cushion_models_are_listed_and_a_wrong_one_is_one_line(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert f"{', '.join(CUSHION_MODELS[:-1])} or {CUSHION_MODELS[-1]}" in told
    arguments = ["break"]
    if command == "shot":
        path = tmp_path / "a.json"
        path.write_text(json.dumps(data_of(capsys, *BREAK)["shot"]), encoding="utf-8")
        arguments = ["shot", str(path)]
    assert main([*arguments, "--cushion-model", "rubber"]) == 2
    assert capsys.readouterr().err == (
        f"tenball: cushion model: got 'rubber', expected one of {list(CUSHION_MODELS)}\n"
    )


def test_every_cushion_model_is_named_where_it_is_chosen(capsys: pytest.CaptureFixture[str]):
    """Help, the docstring and the game's menu name them by hand: the compiler stays unloaded."""
    from sim.play.modes.setup import CUSHIONS_TEXT

    assert {name or CUSHION_MODELS[0] for name in CUSHIONS_TEXT.values()} == set(CUSHION_MODELS)
    for words in (["break", "--help"], ["shot", "--help"]):
        with pytest.raises(SystemExit):
            main(words)
        shown = capsys.readouterr().out
        assert all(name in shown for name in CUSHION_MODELS), words
    assert all(f'"{name}"' in str(sim.simulate.__doc__) for name in CUSHION_MODELS)
