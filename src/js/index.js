// The public exports. The contract is index.d.ts.

import './addon.js'

export {
  buildDiscoverableToolSearchIndex,
  collectDiscoverableTools,
  filterBySource,
  formatDiscoverableToolServerSummary,
  getDiscoverableTool,
  isMCPBridgeTool,
  isMCPToolName,
  searchDiscoverableTools,
  selectDiscoverableToolNamesByServer,
  selectRestorableDiscoveredBuiltinToolNames,
  summarizeDiscoverableTools,
  tokenizeForDiscovery,
} from './discovery.js'
export { renderError, throwIfAborted, ToolAbortError, ToolError } from './errors.js'
export { wrapToolWithMetaNotice } from './notices.js'
export {
  BUILTIN_CAPABILITY_CATALOG,
  BUILTIN_TOOLS,
  computeEssentialBuiltinNames,
  DEFAULT_ESSENTIAL_TOOL_NAMES,
  HIDDEN_TOOLS,
  parseGjcPy,
  readEvalBackendsAllowance,
  registerToolFactory,
  resolveEvalBackends,
  resolveEvalBackendsFromEnv,
} from './registry.js'
export { createTools, partitionInitialTools, resolveDiscoveryMode } from './select.js'
export { BashTool, EditTool, FindTool, ReadTool, SearchTool, WriteTool } from './tools/index.js'
