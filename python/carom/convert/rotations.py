"""Rotation matrices and unit quaternions [w, x, y, z]."""

import numpy as np


def from_quaternion(q):
    w, x, y, z = np.asarray(q) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def to_quaternion(matrix):
    """From the greatest of the four squares, which loses no digits (Shepperd's method)."""
    m = np.asarray(matrix)
    squares = np.array([np.trace(m), *np.diag(m)])
    k = int(np.argmax(squares))
    if k == 0:
        q = np.array([1 + squares[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    else:
        i, j, l = k - 1, k % 3, (k + 1) % 3
        q = np.zeros(4)
        q[0] = m[l, j] - m[j, l]
        q[1 + i] = 1 + m[i, i] - m[j, j] - m[l, l]
        q[1 + j] = m[j, i] + m[i, j]
        q[1 + l] = m[l, i] + m[i, l]
    return q / np.linalg.norm(q)
