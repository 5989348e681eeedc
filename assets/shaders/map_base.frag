// What never changes: the shade under the cushions.
uniform sampler2D still;
in vec2 uv;
out vec4 colour;

void main() {
    colour = vec4(1.0, 1.0, 1.0, texture(still, uv).r);
}
