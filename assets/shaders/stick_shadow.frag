uniform vec4 tip;
uniform vec4 butt;
in vec2 place;
flat in int lamp;
out vec4 colour;

void main() {
    // The nearest approach of the ray to the lamp and the stick's line.
    vec3 p = vec3(place, 0.0);
    vec3 l = normalize(LAMP[lamp] - p);
    vec3 s = butt.xyz - tip.xyz;
    vec3 w = tip.xyz - p;
    float b = dot(l, s), c = dot(s, s), d = dot(l, w), e = dot(s, w);
    float u = clamp((b * d - e) / max(c - b * b, 1e-6), 0.0, 1.0);
    vec3 at = tip.xyz + s * u - p;
    float t = dot(at, l);
    float gap = length(at - l * t);
    float radius = mix(tip.w, butt.w, u);
    float soft = max(t * LAMP_RADIUS / LAMP[lamp].z, 0.0012);
    // A thin stick never hides the whole lamp from far below it.
    float depth = min(1.0, radius / soft);
    float seen = 1.0 - depth * (1.0 - smoothstep(max(radius - soft, 0.0), radius + soft, gap));
    colour = vec4(1.0);
    colour[lamp] = t > 0.0 ? seen : 1.0;
}
