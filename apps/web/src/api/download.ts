export function saveFile(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser needs the URL for a moment after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** A JSON document as a file named after its subject. */
export function jsonFile(name: string, document: object): File {
  return new File([JSON.stringify(document, null, 2)], `${name}.json`, { type: 'application/json' })
}

export function saveJson(name: string, document: object): void {
  const file = jsonFile(name, document)
  saveFile(file, file.name)
}
