import { type ImportKind, importKindOf } from '@cadmus/model/import-formats'
import { type Files, readArchive } from './archive.ts'
import type { ReadOptions } from './cdm/folder.ts'
import { readCdm } from './cdm/read.ts'
import { readDataModel } from './data-model/read.ts'
import { readSqlScripts } from './ddl/read.ts'
import type { ImportedModel } from './imported-model.ts'

export type ImportFormat = {
  label: string
  /** Endings of the files that it reads, in lower case. */
  extensions: readonly string[]
  /** Runs synchronously. Throws ImportError if nothing can be imported. */
  read(files: Files, options?: ReadOptions): ImportedModel
}

/** The import formats of each kind, in the order in which a zip is offered to them. */
export const importFormats: Readonly<Record<ImportKind, readonly [ImportFormat, ...ImportFormat[]]>> = {
  CDM_SCHEMA: [
    { label: 'CDM folder', extensions: ['.cdm.json'], read: readCdm },
    { label: 'Data model', extensions: ['.model'], read: readDataModel },
  ],
  DATABASE_STRUCTURE: [{ label: 'SQL scripts', extensions: ['.sql', '.ddl', '.dump'], read: readSqlScripts }],
}

/** The first format of the kind that reads one of the files; the first of all if there is none, to give the reason. */
export function importFormatOf(kind: ImportKind, files: Files): ImportFormat {
  const paths = [...files.keys()].map(path => path.toLowerCase())
  const formats = importFormats[kind]
  return formats.find(({ extensions }) => paths.some(path => extensions.some(end => path.endsWith(end)))) ?? formats[0]
}

/** The files of an upload: of a zip, or `isSingle` a script by itself. Throws ImportError. */
export function readUpload(kind: ImportKind, fileName: string, bytes: Uint8Array): { files: Files; isSingle: boolean } {
  const isZip = fileName.toLowerCase().endsWith('.zip') || (bytes[0] === 0x50 && bytes[1] === 0x4b)
  const isSingle = importKindOf(kind).isSql && !isZip
  const name = fileName.slice(fileName.lastIndexOf('/') + 1)
  return { files: isSingle ? new Map([[name, bytes]]) : readArchive(bytes), isSingle }
}

/** The name of an uploaded file without its endings. */
export function uploadStem(kind: ImportKind, fileName: string): string {
  const { extensions } = importKindOf(kind)
  const ending = extensions.find(end => fileName.toLowerCase().endsWith(end))
  return ending === undefined ? fileName.trim() : uploadStem(kind, fileName.slice(0, -ending.length))
}
