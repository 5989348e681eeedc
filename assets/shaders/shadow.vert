// One quad for each ball on the map of shadows: wide enough for its three shadows and its contact.
uniform vec4 balls[BALLS];
in vec4 p3d_Vertex;   // xy: corner -1 or 1; z: ball id
out vec2 place;
flat out vec4 ball;

void main() {
    ball = balls[int(p3d_Vertex.z + 0.5)];
    vec2 low = ball.xy - 3.2 * ball.w;
    vec2 high = ball.xy + 3.2 * ball.w;
    for (int i = 0; i < 3; i++) {
        vec2 away = (ball.xy - LAMP[i].xy) / max(LAMP[i].z - ball.z - ball.w, 0.1);
        float soft = ball.w + LAMP_RADIUS * (ball.z + ball.w);
        vec2 tip = ball.xy + away * (ball.z + ball.w);
        low = min(low, tip - soft * 1.1);
        high = max(high, tip + soft * 1.1);
    }
    place = mix(low, high, p3d_Vertex.xy * 0.5 + 0.5);
    vec2 uv = map_uv(place);
    gl_Position = ball.w > 0.0 ? vec4(uv * 2.0 - 1.0, 0.0, 1.0) : vec4(2.0, 2.0, 0.0, 1.0);
}
