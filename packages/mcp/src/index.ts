export { createMcpServer, type McpServerOptions } from './create-mcp-server.ts'
export type { ToolApi } from './tool.ts'
export { ToolError } from './tool.ts'
