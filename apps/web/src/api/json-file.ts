import { saveFile } from './download.ts'

/** A JSON document as a file named after its subject. */
export function jsonFile(name: string, document: object): File {
  return new File([JSON.stringify(document, null, 2)], `${name}.json`, { type: 'application/json' })
}

export function saveJson(name: string, document: object): void {
  const file = jsonFile(name, document)
  saveFile(file, file.name)
}
