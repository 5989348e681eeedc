// Lacquered wood, leather and metal: diffuse, and the lamps mirrored in the polish.
uniform sampler2D p3d_Texture0;
uniform sampler2D shadow_map;
uniform vec4 tint;      // rgb multiplies the texture; a: strength of the mirror at normal incidence
uniform float blur;     // of the mirrored lamps, metres at the lamp
uniform float shine;    // of the mirrored lamps: what lies under their reflection must stay readable
in vec3 point;
in vec3 normal;
in vec3 view;
in vec2 uv;
in float shade;
out vec4 colour;

void main() {
    vec3 n = normalize(normal);
    vec3 v = normalize(view);
    vec3 base = texture(p3d_Texture0, uv).rgb;
    base *= base * tint.rgb;
    float e = 0.0;
    for (int i = 0; i < 3; i++) {
        e += lamp_at(i, point, n) * texture(shadow_map, map_uv_for(i, point))[i];
    }
    // Apron and legs stand in the table's own shadow.
    float above = smoothstep(-0.03, 0.0, point.z);
    e *= above;
    vec3 r = reflect(-v, n);
    float k = 1.0 - max(dot(n, v), 0.0);
    float fresnel = tint.a + (1.0 - tint.a) * k * k * k * k * k;
    vec3 mirror = LAMP_LIGHT * (shine * above * lamps_seen(point, r, blur)) + mix(GROUND, SKY, 0.5 + 0.5 * r.z);
    vec3 light = base * (LAMP_LIGHT * e + ambient(n)) + mirror * min(fresnel, 0.6);
    colour = vec4(tone(light * shade), 1.0);
}
