// A quad along the stick's three shadows on the map.
uniform vec4 tip;     // and its radius
uniform vec4 butt;
in vec4 p3d_Vertex;   // x: -1 or 1 across; y: 0 tip .. 1 butt; z: lamp
out vec2 place;
flat out int lamp;

vec2 thrown(vec3 p, vec3 l) {
    return p.xy + (p.xy - l.xy) * (p.z / max(l.z - p.z, 0.1));
}

void main() {
    lamp = int(p3d_Vertex.z + 0.5);
    vec2 a = thrown(tip.xyz, LAMP[lamp]);
    vec2 b = thrown(butt.xyz, LAMP[lamp]);
    vec2 along = normalize(b - a + vec2(1e-6, 0.0));
    vec2 across = vec2(-along.y, along.x);
    float soft = butt.w * 2.0 + LAMP_RADIUS * max(tip.z, butt.z) * 1.2;
    place = mix(a - along * soft, b + along * soft, p3d_Vertex.y) + across * soft * p3d_Vertex.x;
    gl_Position = vec4(map_uv(place) * 2.0 - 1.0, 0.0, 1.0);
}
