// The slate's cloth: flat, so one look-up of the map of shadows serves all three lamps.
uniform sampler2D p3d_Texture0;
uniform sampler2D shadow_map;
in vec3 point;
in vec3 view;
in vec2 uv;
in float shade;
out vec4 colour;

void main() {
    vec4 map = texture(shadow_map, map_uv(point.xy));
    vec3 l0 = LAMP[0] - point, l1 = LAMP[1] - point, l2 = LAMP[2] - point;
    vec3 d = vec3(dot(l0, l0), dot(l1, l1), dot(l2, l2));
    vec3 e = vec3(l0.z * l0.z, l1.z * l1.z, l2.z * l2.z) / (d * d);
    vec3 light = LAMP_LIGHT * dot(e, map.rgb) + SKY;
    float nap = 1.0 - view.z * inversesqrt(dot(view, view));
    vec3 cloth = CLOTH * (texture(p3d_Texture0, uv).r * 2.0) * (1.0 + 0.35 * nap * nap);
    float spots = min(distance(point.xy, HEAD_SPOT), distance(point.xy, FOOT_SPOT));
    cloth *= 0.25 + 0.75 * smoothstep(0.0050, 0.0064, spots);
    colour = vec4(tone(cloth * light * (map.a * shade)), 1.0);
}
