uniform mat4 p3d_ModelViewProjectionMatrix;
uniform mat4 p3d_ModelMatrix;
uniform mat4 p3d_ViewMatrixInverse;
in vec4 p3d_Vertex;
in vec3 p3d_Normal;
in vec2 p3d_MultiTexCoord0;
in vec4 p3d_Color;
out vec3 point;
out vec3 normal;
out vec3 view;
out vec2 uv;
out float shade;

void main() {
    vec4 world = p3d_ModelMatrix * p3d_Vertex;
    point = world.xyz;
    normal = mat3(p3d_ModelMatrix) * p3d_Normal;
    view = p3d_ViewMatrixInverse[3].xyz - point;
    uv = p3d_MultiTexCoord0;
    shade = p3d_Color.r;
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
}
