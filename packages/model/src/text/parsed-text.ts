import type { TextProblem } from './marked-text.ts'
import type { Token } from './tokens.ts'

export type Range = { from: number; to: number }
/** Reports a problem at a place. */
export type Report = (place: Range, message: string) => void
/** A name with the range that it has with its quotes. */
export type Name = Range & { text: string }
/** `key: value`, or a key alone. Keys are in lower case. */
export type Setting = Range & { key: string; value: readonly Token[] }
export type TypeText = Range & { word: string; args: readonly Token[]; isArray: boolean }
export type ParsedColumn = Range & { name: Name; type: TypeText; settings: readonly Setting[] }
export type Endpoint = Range & { table: Name; columns: readonly Name[] }
/** The sign is `>`, `<`, `-` or `<>`. */
export type ParsedReference = Range & { left: Endpoint; sign: string; right: Endpoint; settings: readonly Setting[] }
export type Index = Range & { columns: readonly Name[]; settings: readonly Setting[] }
/** A condition in its quotes, of a line in a block `checks` or of a setting. */
export type ParsedCheck = Range & { text: string; name: string }
export type ParsedTable = Range & {
  name: Name
  /** Another name for references; null: none. */
  alias: string | null
  settings: readonly Setting[]
  note: string | null
  /** Where the note stands. */
  notePlace: Range | null
  /** Behind the opening bracket. */
  open: number
  columns: readonly ParsedColumn[]
  indexes: readonly Index[]
  /** Blocks `indexes` of groups alone. */
  groupBlocks: readonly Range[]
  checks: readonly ParsedCheck[]
  checkBlocks: readonly Range[]
}
export type ParsedValue = { value: string; label: string }
/** A block `Enum`. */
export type ParsedEnum = Range & { name: Name; values: readonly ParsedValue[] }
export type ParsedText = {
  project: (Range & { name: string; note: string }) | null
  tables: readonly ParsedTable[]
  enums: readonly ParsedEnum[]
  references: readonly ParsedReference[]
  /** Blocks that say something of columns outside their lines: `Ref` and `indexes`. */
  asides: readonly Range[]
  /** Blocks that are passed over, such as `TableGroup` and `records`. */
  ignored: readonly Range[]
  problems: readonly TextProblem[]
}
