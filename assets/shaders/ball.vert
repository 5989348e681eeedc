// A quad that covers one ball, turned to the eye; the ball itself is found in ball.frag.
uniform mat4 p3d_ViewProjectionMatrix;
uniform mat4 p3d_ModelMatrix;
uniform mat4 p3d_ViewMatrixInverse;
in vec4 p3d_Vertex;
out vec3 point;
flat out vec3 centre;
flat out vec3 eye;
flat out mat3 turn;

void main() {
    centre = p3d_ModelMatrix[3].xyz;
    turn = mat3(p3d_ModelMatrix);
    eye = p3d_ViewMatrixInverse[3].xyz;
    vec3 to = centre - eye;
    float d2 = dot(to, to);
    vec3 ahead = to * inversesqrt(d2);
    vec3 right = normalize(cross(ahead, p3d_ViewMatrixInverse[1].xyz));
    vec3 up = cross(right, ahead);
    // The silhouette of a sphere in perspective is wider than its radius; a little more for a soft edge.
    float size = RADIUS * sqrt(d2 / max(d2 - RADIUS * RADIUS, 1e-6)) * 1.04 + 0.002 * sqrt(d2);
    point = centre + (right * p3d_Vertex.x + up * p3d_Vertex.y) * size;
    gl_Position = p3d_ViewProjectionMatrix * vec4(point, 1.0);
}
