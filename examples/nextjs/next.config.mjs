/** @type {import('next').NextConfig} */
export default {
  // This folder is a program of its own, although others lie around it.
  turbopack: { root: import.meta.dirname },
}
