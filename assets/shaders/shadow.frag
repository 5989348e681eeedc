// rgb: how much of each lamp a point of the bed sees past this ball; a: how open the point is to the room.
in vec2 place;
flat in vec4 ball;
out vec4 colour;

void main() {
    vec3 o = ball.xyz - vec3(place, 0.0);
    float d2 = dot(o, o);
    vec4 seen = vec4(1.0);
    for (int i = 0; i < 3; i++) {
        vec3 l = normalize(LAMP[i] - vec3(place, 0.0));
        float t = dot(o, l);
        float s = sqrt(max(d2 - t * t, 0.0));
        float soft = max(t * LAMP_RADIUS / LAMP[i].z, 0.0012);
        seen[i] = t > 0.0 ? smoothstep(ball.w - soft, ball.w + soft, s) : 1.0;
    }
    float r2 = ball.w * ball.w;
    seen.a = 1.0 - 0.92 * clamp(o.z * inversesqrt(d2), 0.0, 1.0) * r2 / max(d2, r2);
    // Right under the ball no light comes in at all.
    float near = length(o.xy) / ball.w;
    float touch = 1.0 - clamp((o.z / ball.w - 1.0) * 2.0, 0.0, 1.0);
    seen.a *= mix(1.0, smoothstep(0.0, 0.75, near), touch * 0.85);
    // A ball that sinks into a pocket takes its shadow with it.
    colour = mix(vec4(1.0), seen, clamp(0.5 + 0.5 * o.z / ball.w, 0.0, 1.0));
}
