import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the young generation of V8's heap at its first size while the server starts: imported first, because
 * evaluating the modules alone would let it grow to its largest. What has grown is given back only by a
 * collection of the whole heap, which a server at rest has no reason for.
 */
setFlagsFromString('--semi-space-growth-factor=1')
