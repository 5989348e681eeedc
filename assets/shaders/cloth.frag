// Cloth that is not flat: cushions and facings.
uniform sampler2D p3d_Texture0;
uniform sampler2D shadow_map;
in vec3 point;
in vec3 normal;
in vec3 view;
in vec2 uv;
in float shade;
out vec4 colour;

void main() {
    vec3 n = normalize(normal);
    float e = 0.0;
    for (int i = 0; i < 3; i++) {
        e += lamp_at(i, point, n) * texture(shadow_map, map_uv_for(i, point))[i];
    }
    float nap = 1.0 - clamp(dot(n, view) * inversesqrt(dot(view, view)), 0.0, 1.0);
    vec3 cloth = CLOTH * (texture(p3d_Texture0, uv).r * 2.0) * (1.0 + 0.35 * nap * nap);
    // The lit bed in front throws light back under the nose.
    vec3 before = vec3(clamp(point.xy + n.xy * 0.05, vec2(0.0), TABLE), 0.0);
    float bed = 0.0;
    for (int i = 0; i < 3; i++) bed += lamp_at(i, before, vec3(0.0, 0.0, 1.0));
    vec3 bounce = CLOTH * LAMP_LIGHT * (1.5 * bed * (0.5 - 0.5 * n.z));
    vec3 light = LAMP_LIGHT * e + ambient(n) + bounce;
    colour = vec4(tone(cloth * light * shade), 1.0);
}
