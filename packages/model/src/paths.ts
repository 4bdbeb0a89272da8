export const predefinedPrefix = 'predefined'
export const userDefinedPrefix = 'user-defined'

/** Whether an item is predefined: its path is empty or starts with the prefix of the predefined workspace. */
export function isDefaultPath(path: string | null | undefined): boolean {
  return !path || path === predefinedPrefix || path.startsWith(`${predefinedPrefix}/`)
}

/** The path before its last slash; '' without one. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

/**
 * A name as one part of a path: slashes are escaped, so that imported names create no folders and different names have
 * different paths. Texts equal to an escape sequence are escaped too.
 */
export function pathPart(name: string): string {
  return name.replace(/%(?=2F|25)/gi, '%25').replaceAll('/', '%2F')
}

/** `user-defined/<manifest>/<name>`, or `user-defined/<name>` without a manifest. */
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

/** Comparison form of names: trimmed and lower-case. Stored with the name. */
export function foldName(name: string): string {
  const trimmed = name.trim()
  return (ascii.test(trimmed) ? trimmed : trimmed.normalize('NFC')).toLowerCase()
}

/** Fast path: most names are ASCII, and checking costs less than normalising. */
const ascii = /^[ -~]*$/
