export { type FileCache, type FileCacheOptions, fileCache } from './node/file-cache.ts'
export { type FlagsFileOptions, flagsFile } from './node/flags-file.ts'
