export declare function cacheFolder(commit: string, root?: string): string

export declare function buildCommit(commit: string, progress: (what: string) => void): Promise<string>

export declare function resolveCommit(name: string, root?: string): string
