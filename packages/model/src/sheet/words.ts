import { type DataType, dataTypes, type Format, formats, longestFixed } from '../data-types.ts'
import { isEqual } from '../equal.ts'
import { limits } from '../limits.ts'

// Words of databases and spreadsheets for data types and flags.

/** Fields that the text of a data type defines, such as `decimal(10,2)`. */
export type TypeShape = {
  dataType: DataType
  format?: Format
  maxLength?: number
  precision?: number
  scale?: number
  choices?: string[]
}

/** By data type and format, the words of the five databases and of spreadsheets, without spaces and signs. */
const wordsOfShapes: readonly (readonly [TypeShape, string])[] = [
  [{ dataType: 'boolean' }, 'boolean bool bit yesno truefalse checkbox flag logical'],
  [{ dataType: 'dateTime' }, 'datetime datetime2 smalldatetime timestamp dateandtime'],
  [{ dataType: 'dateTime', format: 'instant' }, 'instant moment datetimeoffset timestamptz datetimewithtimezone'],
  [{ dataType: 'dateTime', format: 'instant' }, 'timestampwithtimezone timestampwithlocaltimezone'],
  [{ dataType: 'dateTime', format: 'local' }, 'local localdatetime wallclock timestampwithouttimezone'],
  [{ dataType: 'dateTime', format: 'date' }, 'date dateonly'],
  [{ dataType: 'dateTime', format: 'time' }, 'time timetz timeonly timewithtimezone timewithouttimezone'],
  [{ dataType: 'double' }, 'double doubleprecision float8 binarydouble'],
  [{ dataType: 'double', format: 'decimal' }, 'decimal dec numeric number fixed'],
  [{ dataType: 'double', precision: 19, scale: 4 }, 'money currency'],
  [{ dataType: 'double', precision: 10, scale: 4 }, 'smallmoney'],
  [{ dataType: 'float' }, 'float'],
  [{ dataType: 'float', format: 'single' }, 'single real float4 binaryfloat'],
  [{ dataType: 'integer' }, 'integer bigint int8 int64 long bigserial serial8 wholenumber autonumber'],
  [{ dataType: 'integer', format: 'int32' }, 'int int4 int32 mediumint middleint int3 serial serial4'],
  [{ dataType: 'integer', format: 'int16' }, 'smallint int2 int16 short tinyint int1 smallserial serial2 year'],
  [{ dataType: 'object' }, 'object json jsonb'],
  [{ dataType: 'object', format: 'binary' }, 'bytea blob longblob mediumblob tinyblob varbinary longvarbinary binary'],
  [{ dataType: 'object', format: 'binary' }, 'binarylargeobject binaryvarying raw longraw image bytes'],
  [{ dataType: 'string' }, 'string text varchar varchar2 nvarchar nvarchar2 charactervarying nationalvarchar bpchar'],
  [{ dataType: 'string' }, 'clob nclob longtext mediumtext ntext characterlargeobject longvarchar citext sysname'],
  [{ dataType: 'string' }, 'varcharignorecase xml xmltype memo shorttext singlelineoftext multiplelinesoftext'],
  [{ dataType: 'string' }, 'char nchar character nationalcharacter nationalchar enum set'],
  [{ dataType: 'string', maxLength: 255 }, 'tinytext'],
  [{ dataType: 'string', format: 'guid' }, 'guid uuid uniqueidentifier'],
  // German, French and Spanish, without accents.
  [{ dataType: 'boolean' }, 'janein wahrheitswert ouinon booleen sino booleano'],
  [{ dataType: 'dateTime' }, 'datumuhrzeit datumundzeit dateheure dateetheure fechahora fechayhora'],
  [{ dataType: 'dateTime', format: 'date' }, 'datum fecha'],
  [{ dataType: 'dateTime', format: 'time' }, 'uhrzeit heure hora'],
  [{ dataType: 'double', format: 'decimal' }, 'zahl dezimalzahl nombre decimale numero'],
  [{ dataType: 'integer' }, 'ganzzahl nombreentier entier numeroentero entero'],
  [{ dataType: 'string' }, 'zeichenkette texte chaine texto cadena'],
]

const shapes: ReadonlyMap<string, TypeShape> = new Map(
  wordsOfShapes.flatMap(([shape, words]) => words.split(' ').map(word => [word, shape] as const)),
)

/** Name, arguments and attributes of a type, such as `varchar (40) not null`. */
const typePattern = /^([^()]{1,60})(?:\((.*)\))?([^()]{0,100})$/su
const attributes =
  /\s(?:unsigned|zerofill|not\s+null|null|primary\s+key|identity|auto_?increment|generated|character\s+set|collate)\b.*$/is

/** The type that a text names, in any spelling of the five databases; undefined if unknown. */
export function readTypeWord(text: string): TypeShape | undefined {
  const [, name = '', inside, after = ''] = typePattern.exec(text.trim()) ?? []
  // PostgreSQL: `text[]`, `timestamp(3) with time zone`.
  if (/\[\d*\]$/.test(name + after)) return { dataType: 'object' }
  const word = folded((name + after).replace(attributes, ''))
  const shape = shapes.get(word)
  // Only half of its values have 64 bits with a sign.
  if (/^(?:bigint|int8)\b.*\sunsigned\b/i.test(text.trim())) return { dataType: 'integer', precision: 20 }
  if (shape === undefined || inside === undefined) return shape && { ...shape }
  if (word === 'enum' || word === 'set') return { ...shape, choices: readList(inside) }
  const [first = '', second] = inside.split(',').map(part => part.trim())
  return withArguments(word, shape, first, second)
}

/** The word of the format, such as `date`, if it names the data type as well; otherwise the data type. */
export function typeWord({ dataType, format }: { dataType: DataType; format: Format | null }): DataType | Format {
  return format !== null && isEqual(readTypeWord(format), { dataType, format }) ? format : dataType
}

/** The names of the data types, and the words of formats that name the data type as well. */
export const typeWords: readonly (DataType | Format)[] = [
  ...dataTypes,
  ...formats.filter(format => readTypeWord(format)?.format === format),
]

const fixedWords = new Set(['char', 'nchar', 'character', 'nationalcharacter', 'nationalchar'])

function withArguments(word: string, shape: TypeShape, first: string, second: string | undefined): TypeShape {
  // Other words, such as `max`, set no limit.
  if (!/^\d/.test(first)) return { ...shape }
  const size = Number.parseInt(first, 10)
  switch (shape.dataType) {
    case 'string':
      if (shape.format !== undefined || size === 0) return { ...shape }
      return {
        ...shape,
        maxLength: size,
        ...(fixedWords.has(word) && size <= longestFixed ? { format: 'fixed' } : {}),
      }
    case 'float':
      // Of binary digits.
      return word === 'float' && second === undefined && size <= 24 ? { ...shape, format: 'single' } : { ...shape }
    case 'integer':
      if (word === 'tinyint' && size === 1) return { dataType: 'boolean' }
      // The arguments of other words are display widths.
      return word === 'integer' ? { ...shape, precision: size } : { ...shape }
    case 'double':
      return decimal(size, second)
    default:
      return { ...shape }
  }
}

/** Without decimal places it is an integer. */
function decimal(precision: number, second: string | undefined): TypeShape {
  const scale = second === undefined || !/^\d+$/.test(second) ? 0 : Number(second)
  if (scale === 0 && precision <= limits.precision.max) return { dataType: 'integer', precision }
  return { dataType: 'double', precision, scale }
}

const yes = new Set('yes y true t 1 x ✓ ✔ ☑ ☒ on ja j oui o si sí s wahr vrai verdadero'.split(' '))
const no = new Set('no n false f 0 - – ☐ off nein non falsch faux falso'.split(' '))

/** A yes or no in the words of spreadsheets, in four languages; undefined for other text. Blank: no. */
export function readFlag(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (word === '' || no.has(word)) return false
  return yes.has(word) ? true : undefined
}

const optional = new Set('null nullable optional facultatif opcional'.split(' '))
const required = new Set('notnull notnullable required mandatory pflicht obligatoire obligatorio'.split(' '))

/** Whether a word such as `NOT NULL` means that there may be no value; undefined for other text. */
export function readNullable(text: string): boolean | undefined {
  const word = folded(text)
  return optional.has(word) ? true : required.has(word) ? false : undefined
}

/** From the strongest to the weakest; a list is split at the strongest that it contains. */
const separators = ['\n', '|', ';', ','] as const

/** The entries of a list, separated by line breaks, bars, semicolons or commas; quotes around all entries are removed. */
export function readList(text: string): string[] {
  const quoted = readQuoted(text)
  if (quoted !== undefined) return quoted
  const separator = separators.find(one => text.includes(one)) ?? ','
  return text
    .split(separator)
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
}

/** The entries of `'a', 'it''s'`; undefined unless all are in quotes. */
function readQuoted(text: string): string[] | undefined {
  const entries: string[] = []
  const pattern = /\s*'((?:[^']|'')*)'\s*(,|$)/y
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    entries.push((match[1] ?? '').replaceAll("''", "'"))
    if (match[2] === '') return entries
  }
  return undefined
}

/** The entries as one text, which `readList` reads as the same entries. */
export function listText(entries: readonly string[]): string {
  const used = separators.findIndex(one => entries.some(entry => entry.includes(one)))
  // A separator stronger than any in the entries.
  const separator = used < 0 ? ',' : separators[Math.max(0, used - 1)]
  const joined = entries.join(separator === '\n' ? '\n' : `${separator} `)
  return entries.length === 1 && used >= 0 ? `${joined}\n` : joined
}

/** Letters and digits only, in lower case without accents. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]/gu, '')
}
