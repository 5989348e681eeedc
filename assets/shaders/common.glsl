// Shared by every shader of the scene. World space is the table's frame, metres. Light is linear with a
// gamma of 2: textures are squared when read and colours rooted when written.

vec3 tone(vec3 light) {
    vec3 x = light * 0.85;
    x = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    return sqrt(clamp(x, 0.0, 1.0));
}

// What one lamp sends to a point with normal n: cosine at both ends over the distance squared.
float lamp_at(int i, vec3 p, vec3 n) {
    vec3 l = LAMP[i] - p;
    float inv = inversesqrt(dot(l, l));
    return max(dot(n, l), 0.0) * max(l.z, 0.0) * inv * inv * inv * inv;
}

vec2 map_uv(vec2 p) {
    return (p - MAP_ORIGIN) * MAP_SCALE;
}

// Where the ray from a raised point to a lamp would have left the bed: there the map tells the point's shadow.
vec2 map_uv_for(int i, vec3 p) {
    return map_uv(p.xy + (p.xy - LAMP[i].xy) * (p.z / (LAMP[i].z - p.z)));
}

const vec3 SKY = vec3(0.075, 0.075, 0.082);
const vec3 GROUND = vec3(0.055, 0.042, 0.032);
const vec3 WALLS = vec3(0.045, 0.032, 0.020);

vec3 ambient(vec3 n) {
    return mix(GROUND, SKY, 0.5 + 0.5 * n.z) + WALLS * (1.0 - n.z * n.z);
}

#ifdef FRAGMENT
// The openings of the lamps seen along a ray, 0..1, with an edge softened by blur (metres at the lamp), or by
// what one pixel spans there where that is more: small mirrors then dim instead of sparkling.
float lamps_seen(vec3 p, vec3 r, float blur) {
    float rise = LAMP[0].z - p.z;
    vec2 q = p.xy + r.xy * (rise / max(r.z, 0.02));
    vec2 across = abs(dFdx(q)) + abs(dFdy(q));
    float soft = max(blur, 0.6 * max(across.x, across.y));
    float seen = 0.0;
    for (int i = 0; i < 3; i++) {
        float d = distance(q, LAMP[i].xy);
        seen += 1.0 - smoothstep(LAMP_RADIUS - soft, LAMP_RADIUS + soft, d);
    }
    float area = LAMP_RADIUS * LAMP_RADIUS;
    seen *= area / (area + soft * soft);
    return rise > 0.0 && r.z > 0.02 ? seen : 0.0;
}
#endif
