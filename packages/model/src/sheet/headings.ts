import { type Column, isTypeAttribute } from '../columns.ts'
import { sheetTexts } from '../messages/sheet.ts'
import { takesScale } from '../rules/type-attribute.ts'
import { type CellReading, columnsById, type SheetColumn, sheetColumns } from './columns.ts'
import { folded, readFlag, readNullable } from './words.ts'

/** Headings of columns in English, German, French and Spanish spreadsheets and in schemas of databases, by column. */
const wordsOfColumns: Readonly<Record<string, string>> = {
  name: `attribute attributename field fieldname column columnname property propertyname spalte spaltenname feld feldname
    attribut nom nomduchamp champ colonne nombre campo columna atributo`,
  dataType: `datatype sqltype dbtype fieldtype columntype datentyp feldtyp typ typededonnees tipo tipodedatos tipodedato`,
  length: `len size maxlen maxlength lengthprecision characters charactermaximumlength lange maximallange große feldgroße
    longueur taille longitud tamano`,
  precision: 'digits numericprecision genauigkeit stellen precision',
  scale: 'scale decimals decimalplaces numericscale nachkommastellen dezimalstellen decimales echelle escala',
  nullable:
    'null optional isnullable allownull allownulls allowsnull nullwerte leererlaubt facultatif optionnel opcional nulo',
  required: `required isrequired mandatory notnull pflicht pflichtfeld erforderlich obligatoire requis obligatorio
    requerido`,
  defaultValue: `default columndefault standard standardwert vorgabe vorgabewert defaut pardefaut valeurpardefaut
    predeterminado pordefecto valorpredeterminado valorpordefecto`,
  unique: 'isunique eindeutig unico',
  indexed: 'index isindexed indiziert indexe indexado indice',
  choices: `choice values enum enumeration allowedvalues options picklist auswahl auswahlwerte werte erlaubtewerte choix
    valeurs valeursautorisees opciones valores valorespermitidos`,
  description: `comment comments note notes remark remarks definition columncomment beschreibung kommentar bemerkung
    commentaire remarque descripcion comentario`,
  references: `reference referencedtable foreignkey fk target relatesto refersto verweis referenz fremdschlussel
    cleetrangere referencia claveforanea claveexterna`,
  key: 'key pk primarykey isprimarykey iskey columnkey schlussel primarschlussel cle cleprimaire clave claveprimaria',
  entity: 'entity entityname table tablename entitat tabelle tabellenname entite entidad tabla',
  ignored: '# no nr number position order ordinal ordinalposition extra',
}

/** Columns of other spreadsheets, whose cells are read into those of the sheet. */
const readers: Readonly<Record<string, { id: string; read: SheetColumn['read'] }>> = {
  required: {
    id: 'nullable',
    read(text) {
      const flag = readFlag(text)
      const nullable = readNullable(text) ?? (flag === undefined ? undefined : !flag)
      return nullable === undefined ? { reason: sheetTexts.noFlag(text) } : { change: { nullable } }
    },
  },
  key: {
    id: 'purpose',
    read(text, row) {
      const word = folded(text)
      const isKey = isKeyMark(text) || (otherKeys.has(word) ? false : readFlag(text))
      if (isKey === undefined) return { reason: sheetTexts.noFlag(text) }
      // MySQL describes the keys of a column in one cell.
      if (word === 'uni') return { change: { unique: true } }
      return { change: isKey && isTypeAttribute(row) ? { purpose: 'identifiedBy' } : {} }
    },
  },
  // Other spreadsheets have bytes or display widths of integers.
  length: {
    id: 'length',
    read(text, row, context) {
      const column = isTypeAttribute(row) && row.dataType === 'integer' ? undefined : columnsById.get('length')
      return column?.read(text, row, context) ?? { change: {} }
    },
  },
  precision: { id: 'length', read: (text, row) => readDigits('precision', text, row) },
  scale: { id: 'length', read: (text, row) => readDigits('scale', text, row) },
}

const keyWords = new Set(['pk', 'pri', 'primary', 'primarykey', 'key', 'identifiedby'])
const otherKeys = new Set(['fk', 'foreignkey', 'uni', 'mul', 'unique'])

/** Whether a cell about keys marks its row as the key of the entity. */
export function isKeyMark(text: string): boolean {
  return keyWords.has(folded(text)) || readFlag(text) === true
}

/** Schemas of databases have digits of all numbers; only some are those of a decimal. */
function readDigits(field: 'precision' | 'scale', text: string, row: Column): CellReading {
  const digits = text.trim()
  if (digits === '' || !isTypeAttribute(row) || !takesScale(row.dataType)) return { change: {} }
  return /^\d{1,9}$/.test(digits) ? { change: { [field]: Number(digits) } } : { reason: sheetTexts.length }
}

/** A column of the sheet; `entity`: the names of the rows' entities; `ignored`: needless; undefined: unknown or repeated. */
export type Heading = SheetColumn | 'entity' | 'ignored' | undefined

const headings: ReadonlyMap<string, { id: string; heading: Heading }> = new Map([
  ...Object.entries(wordsOfColumns).flatMap(([id, words]) =>
    words.split(/\s+/).map(word => [word, { id, heading: headingOf(id) }] as const),
  ),
  // Headers of the sheet itself, and labels of the panel.
  ...sheetColumns.flatMap(column =>
    [column.id, folded(column.header)].map(
      word => [folded(word), { id: column.id, heading: headingOf(column.id) }] as const,
    ),
  ),
])

function headingOf(id: string): Heading {
  if (id === 'entity' || id === 'ignored') return id
  const reader = readers[id]
  const column = columnsById.get(reader?.id ?? id)
  return column && reader ? { ...column, read: reader.read } : column
}

/** The columns that a first row names: the name and one more at least, and half of its cells. Undefined: it is a row like others. */
export function headingsOf(first: readonly string[]): readonly Heading[] | undefined {
  const seen = new Set<string>()
  let count = 0
  const columns = first.slice(0, 1000).map(cell => {
    const entry = cell.length > 40 ? undefined : headings.get(folded(cell))
    if (entry === undefined) return undefined
    count += 1
    // Of several columns with the same meaning, the first counts.
    return seen.size < seen.add(entry.id).size ? entry.heading : undefined
  })
  const isHead = seen.has('name') && seen.size > 1 && count * 2 >= first.filter(cell => cell.trim() !== '').length
  return isHead ? columns : undefined
}
