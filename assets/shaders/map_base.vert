in vec4 p3d_Vertex;
out vec2 uv;

void main() {
    uv = p3d_Vertex.xy * 0.5 + 0.5;
    gl_Position = vec4(p3d_Vertex.xy, 0.0, 1.0);
}
