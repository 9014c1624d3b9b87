// The public exports. The contract is index.d.ts.

import './addon.js'

export { runAgentTurns } from './agent-turns.js'
export { computeLineHash, formatHashLine, formatHashLines, formatLineHash, HL_BODY_SEP, HL_BODY_SEP_RE_RAW } from './anchors.js'
export { executeToolCalls } from './calls.js'
export { sanitizeText } from './calls/results.js'
export {
  buildNamedToolChoice,
  buildNamedToolChoiceResult,
  classifyToolChoiceRefusal,
  clearToolChoiceIncapabilityRegistryForTests,
  deriveToolChoiceSupport,
  getToolChoiceCapabilityOverride,
  isClaudeForcedToolChoiceIncapableModelId,
  isForcedToolChoice,
  isForcedToolChoiceUnsupportedError,
  mapToAnthropicToolChoice,
  mapToBedrockToolChoice,
  mapToGoogleToolChoice,
  mapToOllamaToolChoice,
  mapToOpenAICompletionsToolChoice,
  mapToOpenAIResponsesToolChoice,
  mapToWordsToolChoice,
  markToolChoiceIncapability,
  planToolChoice,
  recordToolChoiceRefusal,
  resolveToolChoice,
  toolChoiceRegistryKey,
} from './choice.js'
export {
  applyToolProxy,
  createNoOpUIContext,
  CustomToolAdapter,
  CustomToolLoader,
  discoverAndLoadCustomTools,
  emitCustomToolSessionEvent,
  execCommand,
  loadCustomTools,
  resolvePath,
} from './custom-tools/index.js'
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
export { EDIT_MODE_STRATEGIES, EDIT_MODES, MAX_EDIT_FILE_BYTES, normalizeEditMode, resolveEditMode } from './edit-modes.js'
export { renderError, throwIfAborted, ToolAbortError, ToolError } from './errors.js'
export { getPriorityInfo, parseReportFindingDetails, PRIORITY_LABELS, toReviewFinding } from './findings.js'
export { INTENT_FIELD } from './intent.js'
export { createEmptyNotebook, createNotebookCell, readNotebookDocument, serializeNotebookDocument, splitNotebookSource } from './notebooks.js'
export { wrapToolWithMetaNotice } from './notices.js'
export {
  applyListLimit,
  DEFAULT_ARTIFACT_MAX_BYTES,
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  formatArtifactReference,
  formatBytes,
  formatHeadTruncationNotice,
  formatOutputNotice,
  formatStyledArtifactReference,
  formatStyledTruncationWarning,
  formatTruncationMetaNotice,
  stripOutputNotice,
  truncateContent,
  truncateHead,
  truncateHeadBytes,
  truncateMiddle,
  truncateMiddleWindows,
  truncateTail,
} from './output.js'
export { OutputMetaBuilder, outputMeta, ToolResultBuilder, toolResult } from './output-meta.js'
export {
  BASH_DEFAULT_OUTPUT_TAIL_BYTES,
  OutputSink,
  resolveBashOutputSinkHeadBytes,
  resolveBashOutputSinkTailBytes,
  resolveOutputMaxColumns,
  resolveOutputSinkHeadBytes,
  streamTailUpdates,
  TailBuffer,
} from './output-sink.js'
export { cancelJob, cancelJobs, listJobs, pollJobs } from './jobs.js'
export {
  assertEditableFile,
  expandApplyPatchToEntries,
  normalizeDiff,
  normalizeToLF,
  normalizeUnicode,
  parseApplyPatch,
  ParseError,
  previewPatch,
  stripBom,
} from './patches.js'
export {
  expandPath,
  expandTilde,
  formatGroupedFiles,
  formatPathRelativeToCwd,
  normalizeLocalScheme,
  resolveFileDisplayMode,
  resolveReadPath,
  resolveToCwd,
  splitPathAndSel,
  stripOuterDoubleQuotes,
} from './paths.js'
export { glob, grep } from './primitives.js'
export { onceGen, ToolChoiceQueue } from './queue.js'
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
export {
  BASH_DEFAULT_PREVIEW_LINES,
  renderToolCall,
  renderToolResult,
  resolveToolRenderer,
  todoWriteToolRenderer,
  toolRenderers,
  vimToolRenderer,
} from './render/index.js'
export { clearPendingPreviews, queueResolveHandler, runResolveInvocation } from './resolve.js'
export { createTools, partitionInitialTools, resolveDiscoveryMode } from './select.js'
export {
  assertEditableFileContent,
  computeEditDiff,
  computeHashlineDiff,
  DEFAULT_FUZZY_THRESHOLD,
  generateDiffString,
  generateUnifiedDiffString,
  replaceText,
} from './texts.js'
export {
  applyOpsToPhases,
  formatPhaseDisplayName,
  getLatestTodoPhasesFromEntries,
  markdownToPhases,
  phasesToMarkdown,
  USER_TODO_EDIT_CUSTOM_TYPE,
} from './todo.js'
export { createToolSession, ManagedToolSession } from './tool-session.js'
export { previewEdit } from './tools/edit.js'
export {
  AstEditTool,
  AstGrepTool,
  BashTool,
  CalcTool,
  EditTool,
  FindTool,
  GoalTool,
  ReadTool,
  RecipeTool,
  ReportFindingTool,
  ResolveTool,
  SearchTool,
  SearchToolBm25Tool,
  SkillTool,
  TodoWriteTool,
  WriteTool,
  YieldTool,
} from './tools/index.js'
export { renderSearchToolBm25Description } from './tools/search-tools.js'
export { finishTurnToolChoice, forceToolForUser, planTurnToolChoice } from './turn-choice.js'
export {
  isJsonSchemaValueValid,
  prepareToolArguments,
  ToolArgumentError,
  upgradeJsonSchemaTo202012,
  validateJsonSchemaValue,
  validateToolArguments,
  validateToolCall,
} from './validation.js'
export { assembleToolCallDeltas, isZodSchema, normalizeTools, strictToolSchema, toolWireSchema, zodToWireSchema } from './wire-schema.js'
