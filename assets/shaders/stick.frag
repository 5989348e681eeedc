// The stick: painted parts under lacquer.
in vec3 point;
in vec3 normal;
in vec3 view;
in vec3 paint;
out vec4 colour;

void main() {
    vec3 n = normalize(normal);
    vec3 v = normalize(view);
    float e = 0.0;
    for (int i = 0; i < 3; i++) e += lamp_at(i, point, n);
    vec3 r = reflect(-v, n);
    float k = 1.0 - max(dot(n, v), 0.0);
    float fresnel = 0.045 + 0.955 * k * k * k * k * k;
    vec3 mirror = LAMP_LIGHT * (9.0 * lamps_seen(point, r, 0.05)) + mix(CLOTH * 0.5, SKY, step(0.0, r.z));
    vec3 bounce = CLOTH * LAMP_LIGHT * 0.35 * (0.5 - 0.5 * n.z);
    vec3 light = paint * paint * (LAMP_LIGHT * e + ambient(n) + bounce) + mirror * min(fresnel, 0.5);
    colour = vec4(tone(light), 1.0);
}
