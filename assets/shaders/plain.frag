// Marks and lamps: their own colour, not lit.
uniform vec4 p3d_ColorScale;
in vec4 ink;
out vec4 colour;

void main() {
    colour = ink * p3d_ColorScale;
}
