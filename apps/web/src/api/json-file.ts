import { saveFile } from './download.ts'

/** A document as a file, called after what it is of. */
export function jsonFile(name: string, document: object): File {
  return new File([JSON.stringify(document, null, 2)], `${name}.json`, { type: 'application/json' })
}

/** Hands it to the browser's downloads. */
export function saveJson(name: string, document: object): void {
  const file = jsonFile(name, document)
  saveFile(file, file.name)
}
