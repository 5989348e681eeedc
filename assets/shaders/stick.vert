uniform mat4 p3d_ModelViewProjectionMatrix;
uniform mat4 p3d_ModelMatrix;
uniform mat4 p3d_ViewMatrixInverse;
in vec4 p3d_Vertex;
in vec3 p3d_Normal;
in vec4 p3d_Color;
out vec3 point;
out vec3 normal;
out vec3 view;
out vec3 paint;

void main() {
    point = (p3d_ModelMatrix * p3d_Vertex).xyz;
    normal = mat3(p3d_ModelMatrix) * p3d_Normal;
    view = p3d_ViewMatrixInverse[3].xyz - point;
    paint = p3d_Color.rgb;
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
}
