// A ball: exact sphere, numbers and stripes drawn on it, lit by the lamps, mirroring lamps, cloth, cushions and
// the other balls.
uniform mat4 p3d_ViewProjectionMatrix;
uniform sampler2D numbers;
uniform sampler2D shadow_map;
uniform vec4 balls[BALLS];  // centre and radius by ball id; radius 0: not on the table
uniform int ball;
uniform float fade;
in vec3 point;
flat in vec3 centre;
flat in vec3 eye;
flat in mat3 turn;
out vec4 colour;

const vec3 WHITE = vec3(0.92, 0.87, 0.76);
const float DISC = 0.50;
const float STRIPE = 0.58;
const float MEASLE = 0.13;

vec3 paint(vec3 n, float pixel) {
    vec3 white = WHITE;
    if (ball == 0) {
        vec3 a = abs(n);
        float side = length(a.x > a.y && a.x > a.z ? a.yz : (a.y > a.z ? a.xz : a.xy));
        return mix(vec3(0.62, 0.012, 0.012), white, smoothstep(MEASLE - pixel, MEASLE + pixel, side));
    }
    vec3 base = BALL_COLOUR[ball];
    if (STRIPED[ball]) {
        base = mix(base, white, smoothstep(STRIPE - pixel, STRIPE + pixel, abs(n.z)));
    }
    float side = length(n.yz);
    vec2 q = vec2(n.y * sign(n.x), -n.z) / (2.0 * DISC) + 0.5;
    vec2 cell = (vec2(float(ball % 4), float(ball / 4)) + clamp(q, 0.0, 1.0)) * 0.25;
    float lod = max(log2(pixel * 256.0 / (2.0 * DISC)) - 0.2, 0.0);
    float ink = textureLod(numbers, vec2(cell.x, 1.0 - cell.y), lod).r;
    vec3 disc = mix(white, vec3(0.004), ink);
    return mix(disc, base, smoothstep(DISC - pixel, DISC + pixel, side));
}

vec3 bed_light(vec2 q) {
    vec4 map = texture(shadow_map, map_uv(q));
    float e = 0.0;
    for (int i = 0; i < 3; i++) e += lamp_at(i, vec3(q, 0.0), vec3(0.0, 0.0, 1.0)) * map[i];
    return (LAMP_LIGHT * e + SKY) * map.a;
}

// What a ray from the ball's skin meets.
vec3 mirrored(vec3 p, vec3 r) {
    vec3 seen = mix(GROUND, SKY * 1.4, clamp(0.5 + 0.5 * r.z, 0.0, 1.0));
    seen += vec3(0.10, 0.06, 0.03) * exp(-18.0 * (r.z - 0.25) * (r.z - 0.25));
    seen += LAMP_LIGHT * (24.0 * lamps_seen(p, r, 0.012));
    // Through the sides of the box between the noses, or its floor?
    vec2 gap = mix(p.xy, TABLE - p.xy, step(0.0, r.xy));
    vec2 far = gap / max(abs(r.xy), 1e-4);
    float wall = min(far.x, far.y);
    float floor_ = r.z < -1e-4 ? -p.z / r.z : 1e9;
    float z = p.z + wall * r.z;
    if (floor_ < wall) {
        seen = CLOTH * bed_light(p.xy + r.xy * floor_);
    } else if (z < RAIL_TOP) {
        vec2 q = clamp(p.xy + r.xy * wall, vec2(0.0), TABLE);
        seen = CLOTH * bed_light(q) * (z < NOSE ? 0.7 : 1.1);
    } else if (r.z < 0.0 && z < RAIL_TOP + 0.09 * -r.z / max(length(r.xy), 1e-3)) {
        seen = vec3(0.055, 0.018, 0.008);
    }
    float nearest = 1e9;
    for (int i = 0; i < BALLS; i++) {
        vec3 o = balls[i].xyz - p;
        float b = dot(o, r);
        float room = balls[i].w * balls[i].w - dot(o, o) + b * b;
        if (i != ball && b > 0.0 && room > 0.0) {
            float t = b - sqrt(room);
            if (t < nearest) {
                nearest = t;
                vec3 n = (r * t - o) / max(balls[i].w, 1e-6);
                float e = 0.0;
                for (int k = 0; k < 3; k++) e += lamp_at(k, balls[i].xyz, n);
                vec3 skin = i == 0 ? WHITE : BALL_COLOUR[i];
                seen = skin * (LAMP_LIGHT * e + ambient(n)) + CLOTH * LAMP_LIGHT * 0.12 * (0.5 - 0.5 * n.z);
                seen += LAMP_LIGHT * lamps_seen(balls[i].xyz, reflect(r, n), 0.02);
            }
        }
    }
    return seen;
}

void main() {
    vec3 ray = normalize(point - eye);
    vec3 to = centre - eye;
    float along = dot(to, ray);
    vec3 closest = to - ray * along;
    float miss = length(closest);
    float pixel_world = max(fwidth(miss), 1e-7);
    float cover = clamp((RADIUS - miss) / pixel_world + 0.5, 0.0, 1.0);
    if (cover <= 0.0) discard;
    float depth = sqrt(max(RADIUS * RADIUS - miss * miss, 0.0));
    vec3 n = miss < RADIUS ? (ray * (along - depth) - to) / RADIUS : -closest / miss;
    n = normalize(n);
    vec3 p = centre + n * RADIUS;
    vec3 v = -ray;
    float facing = max(dot(n, v), 0.0);
    float pixel = 0.75 * pixel_world / RADIUS / max(facing, 0.25);
    vec3 skin = paint(transpose(turn) * n, pixel);

    vec3 shadow = vec3(1.0);
    float open = 1.0;
    for (int i = 0; i < BALLS; i++) {
        vec3 o = balls[i].xyz - p;
        float d2 = dot(o, o);
        if (i != ball && balls[i].w > 0.0 && d2 < 0.09) {
            open *= 1.0 - clamp(dot(n, o) * inversesqrt(d2) + 0.25, 0.0, 1.0) * balls[i].w * balls[i].w / d2;
            for (int k = 0; k < 3; k++) {
                vec3 l = normalize(LAMP[k] - p);
                float t = dot(o, l);
                float s = sqrt(max(d2 - t * t, 0.0));
                float soft = 0.5 * RADIUS * LAMP_RADIUS + t * LAMP_RADIUS * 0.6;
                shadow[k] *= t > 0.0 ? smoothstep(balls[i].w - soft, balls[i].w + soft, s) : 1.0;
            }
        }
    }
    float e = 0.0;
    for (int k = 0; k < 3; k++) {
        // The lamps are wide: light wraps a little round the terminator.
        vec3 l = LAMP[k] - p;
        float inv = inversesqrt(dot(l, l));
        float c = max(dot(n, l) * inv * 0.94 + 0.06, 0.0);
        e += c * max(l.z, 0.0) * inv * inv * inv * shadow[k];
    }
    vec3 below = bed_light(p.xy + n.xy * RADIUS * 1.6);
    float lift = clamp((p.z - 0.0) / (2.0 * RADIUS), 0.0, 1.0);
    vec3 bounce = CLOTH * below * (0.5 - 0.5 * n.z) * (0.25 + 0.75 * smoothstep(0.0, 0.6, lift));
    vec3 light = skin * (LAMP_LIGHT * e + (ambient(n) + bounce * 0.9) * open);

    // Down in a pocket the leather takes the light: neither lamps nor cloth are seen from there for long.
    float sunk = smoothstep(-2.6 * RADIUS, 0.4 * RADIUS, centre.z);
    float k = 1.0 - facing;
    float fresnel = 0.045 + 0.955 * k * k * k * k * k;
    light = (light * (1.0 - fresnel) + mirrored(p, reflect(-v, n)) * (sunk * min(fresnel, 0.65))) * (0.25 + 0.75 * sunk);
    colour = vec4(tone(light), cover * fade);
    vec4 clip = p3d_ViewProjectionMatrix * vec4(p, 1.0);
    gl_FragDepth = clip.z / clip.w * 0.5 + 0.5;
}
