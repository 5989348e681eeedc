// Floor and walls: lit by what passes over the rails, dim, soft.
uniform sampler2D p3d_Texture0;
uniform float glow;     // 0: the floor, lit by the lamps; 1: a wall, which shows its own picture
in vec3 point;
in vec3 normal;
in vec2 uv;
out vec4 colour;

void main() {
    vec3 base = texture(p3d_Texture0, uv).rgb;
    base *= base;
    vec2 half_size = TABLE * 0.5 + RAIL_WIDTH;
    float e = 0.0;
    for (int i = 0; i < 3; i++) {
        vec2 q = point.xy + (LAMP[i].xy - point.xy) * (-point.z / (LAMP[i].z - point.z));
        vec2 out_ = abs(q - TABLE * 0.5) - half_size;
        float d = length(max(out_, 0.0)) + min(max(out_.x, out_.y), 0.0);
        e += lamp_at(i, point, normal) * smoothstep(-0.03, 0.16, d);
    }
    vec2 under = abs(point.xy - TABLE * 0.5) - half_size;
    float near = length(max(under, 0.0));
    float open = 0.35 + 0.65 * smoothstep(0.0, 0.7, near);
    vec3 light = LAMP_LIGHT * (e * 0.9) + vec3(0.16, 0.135, 0.11) * open;
    vec3 lit = mix(base * light, base * 0.85, glow);
    colour = vec4(tone(lit), 1.0);
}
