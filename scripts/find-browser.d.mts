export function findBrowser(): Promise<string>
export function unpackOnce(folder: string, unpack: (folder: string) => Promise<void>): Promise<string>
