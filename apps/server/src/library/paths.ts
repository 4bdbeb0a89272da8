import { pathPart, predefinedPrefix } from '@cadmus/model/paths'

type Located = { corpusPath: string; name: string }

/**
 * Returns the paths of predefined objects by corpus path: `predefined/<folder…>/<name>`. If two documents of a folder
 * define the same name, the document's name is inserted.
 */
export function predefinedPaths(things: readonly Located[]): Map<string, string> {
  const plain = things.map(thing => ({
    ...thing,
    path: joined(folderOfDocument(thing.corpusPath), pathPart(thing.name)),
  }))
  const uses = new Map<string, number>()
  for (const { path } of plain) uses.set(path.toLowerCase(), (uses.get(path.toLowerCase()) ?? 0) + 1)
  return new Map(
    plain.map(({ corpusPath, name, path }) => {
      if (uses.get(path.toLowerCase()) === 1) return [corpusPath, path]
      return [corpusPath, joined(folderOfDocument(corpusPath), documentName(corpusPath), pathPart(name))]
    }),
  )
}

/** `/core/Account.cdm.json/Account` and `core/core.manifest.cdm.json` are both in `core`. */
function folderOfDocument(corpusPath: string): string {
  const document = documentOf(corpusPath)
  const slash = document.lastIndexOf('/')
  return slash < 0 ? '' : document.slice(0, slash)
}

function documentName(corpusPath: string): string {
  const document = documentOf(corpusPath)
  return document.slice(document.lastIndexOf('/') + 1).replace(/(?:\.(?:manifest|folio))?\.cdm\.json$/, '')
}

/** The document's path, without leading slashes and object name. */
function documentOf(corpusPath: string): string {
  const end = /\.cdm\.json(?=\/|$)/.exec(corpusPath)
  const document = end === null ? corpusPath : corpusPath.slice(0, end.index + '.cdm.json'.length)
  return document.replace(/^\/+/, '')
}

function joined(...parts: readonly string[]): string {
  return [predefinedPrefix, ...parts].filter(part => part !== '').join('/')
}
