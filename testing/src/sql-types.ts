export type CheckedDialect = 'oracle' | 'mssql'

export interface ColumnType {
  /** As written, in capitals and without spaces: `VARCHAR2(255CHAR)`. */
  readonly text: string
  /** Whether the type can be part of a key or an index. */
  readonly indexable: boolean
}

interface TypeRule {
  /** Range of each argument. */
  readonly arguments?: readonly (readonly [number, number])[]
  readonly required?: boolean
  /** Whether `(MAX)` is allowed, which excludes indexes. */
  readonly max?: boolean
  readonly large?: boolean
}

const NUMBER_38: TypeRule = {
  arguments: [
    [1, 38],
    [0, 38],
  ],
}
const PLAIN: TypeRule = {}
const LARGE: TypeRule = { large: true }

const ORACLE: Readonly<Record<string, TypeRule>> = {
  NUMBER: {
    arguments: [
      [1, 38],
      [-84, 127],
    ],
  },
  DECIMAL: NUMBER_38,
  NUMERIC: NUMBER_38,
  INTEGER: PLAIN,
  INT: PLAIN,
  SMALLINT: PLAIN,
  FLOAT: { arguments: [[1, 126]] },
  REAL: PLAIN,
  'DOUBLE PRECISION': PLAIN,
  BINARY_FLOAT: PLAIN,
  BINARY_DOUBLE: PLAIN,
  VARCHAR2: { arguments: [[1, 4000]], required: true },
  VARCHAR: { arguments: [[1, 4000]], required: true },
  NVARCHAR2: { arguments: [[1, 2000]], required: true },
  CHAR: { arguments: [[1, 2000]] },
  NCHAR: { arguments: [[1, 1000]] },
  RAW: { arguments: [[1, 2000]], required: true },
  DATE: PLAIN,
  TIMESTAMP: { arguments: [[0, 9]] },
  INTERVAL: PLAIN,
  CLOB: LARGE,
  NCLOB: LARGE,
  BLOB: LARGE,
  JSON: LARGE,
}

const MSSQL: Readonly<Record<string, TypeRule>> = {
  BIGINT: PLAIN,
  INT: PLAIN,
  SMALLINT: PLAIN,
  TINYINT: PLAIN,
  BIT: PLAIN,
  DECIMAL: NUMBER_38,
  NUMERIC: NUMBER_38,
  MONEY: PLAIN,
  FLOAT: { arguments: [[1, 53]] },
  REAL: PLAIN,
  DATE: PLAIN,
  TIME: { arguments: [[0, 7]] },
  DATETIME: PLAIN,
  DATETIME2: { arguments: [[0, 7]] },
  DATETIMEOFFSET: { arguments: [[0, 7]] },
  CHAR: { arguments: [[1, 8000]] },
  VARCHAR: { arguments: [[1, 8000]], max: true },
  NCHAR: { arguments: [[1, 4000]] },
  NVARCHAR: { arguments: [[1, 4000]], max: true },
  BINARY: { arguments: [[1, 8000]] },
  VARBINARY: { arguments: [[1, 8000]], max: true },
  UNIQUEIDENTIFIER: PLAIN,
  XML: LARGE,
}

const RULES: Record<CheckedDialect, Readonly<Record<string, TypeRule>>> = { oracle: ORACLE, mssql: MSSQL }
const WRITTEN = /^\s*(DOUBLE\s+PRECISION|[A-Z_][A-Z0-9_]*)\s*(?:\(([^)]*)\))?/i

/** Reads the type at the beginning of `text`, with the problems that the database would report. */
export function readType(text: string, dialect: CheckedDialect): { type: ColumnType; problems: string[] } {
  const [written = '', word = '', list] = WRITTEN.exec(text) ?? []
  const name = word.toUpperCase().replace(/\s+/g, ' ')
  const rule = RULES[dialect][name]
  const values = list === undefined ? [] : list.split(',').map(value => value.trim().toUpperCase())
  const isMax = values.length === 1 && values[0] === 'MAX'
  const type = {
    text: written.toUpperCase().replace(/\s+/g, ''),
    indexable: rule?.large !== true && !isMax,
  }
  if (rule === undefined) return { type, problems: [`There is no type ${name === '' ? text.slice(0, 20) : name}.`] }
  if (isMax && rule.max === true) return { type, problems: [] }
  const problem = argumentsFit(values, rule, dialect) ? [] : [`${type.text} is no valid ${name}.`]
  return { type, problems: problem }
}

function argumentsFit(values: readonly string[], rule: TypeRule, dialect: CheckedDialect): boolean {
  const ranges = rule.arguments ?? []
  if (values.length > ranges.length || (values.length === 0 && rule.required === true)) return false
  return values.every((value, at) => {
    // Oracle counts lengths in bytes or characters: VARCHAR2(20 CHAR).
    const digits = dialect === 'oracle' ? value.replace(/ (CHAR|BYTE)$/, '') : value
    const [low, high] = ranges[at] ?? [0, 0]
    return /^-?\d+$/.test(digits) && Number(digits) >= low && Number(digits) <= high
  })
}
