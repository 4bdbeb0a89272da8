export const predefinedPrefix = 'predefined'
export const userDefinedPrefix = 'user-defined'

/** A core thing: its path starts with the predefined workspace's prefix, or it has none. */
export function isDefaultPath(path: string | null | undefined): boolean {
  return !path || path === predefinedPrefix || path.startsWith(`${predefinedPrefix}/`)
}

/** The folder part of a path: all before its last slash; '' where there is none. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

/**
 * A name as one part of a path: a slash in a name that came from a file makes no folder, and no two names become the same part.
 * Only what could be taken for an escaped slash or for an escaped sign is escaped besides; other names stay as they are.
 */
export function pathPart(name: string): string {
  return name.replace(/%(?=2F|25)/gi, '%25').replaceAll('/', '%2F')
}

/** `user-defined/<manifest>/<name>`, or `user-defined/<name>` for an entity of no manifest. */
export function customEntityPath(manifestName: string | null, entityName: string): string {
  return manifestName === null
    ? `${userDefinedPrefix}/${pathPart(entityName)}`
    : `${userDefinedPrefix}/${pathPart(manifestName)}/${pathPart(entityName)}`
}

export function customManifestPath(manifestName: string): string {
  return `${userDefinedPrefix}/${pathPart(manifestName)}`
}

/** The path with its last part replaced. */
export function renamedPath(path: string, name: string): string {
  const folder = folderOf(path)
  return folder === '' ? pathPart(name) : `${folder}/${pathPart(name)}`
}

/** How names are compared: trimmed, without regard to case. Stored beside the name. */
export function foldName(name: string): string {
  const trimmed = name.trim()
  return (ascii.test(trimmed) ? trimmed : trimmed.normalize('NFC')).toLowerCase()
}

/** Most names are, and normalizing costs more than looking. */
const ascii = /^[ -~]*$/
