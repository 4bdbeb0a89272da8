import type { StoredState } from './package-folder.ts'
import type { RunningPackage } from './running-package.ts'
import type { PackageState, Progress } from './status.ts'

/** A version that replaces another version. */
export type Attempt = { readonly stored: StoredState; progress: Progress }

export function packageState(
  name: string,
  { stored, progress }: Attempt,
  running: RunningPackage | null,
): PackageState {
  const { id, owner, version, contextPath, stateOnStartup } = stored
  const { preview = [], ...state } = progress
  const warnings = [...stored.warnings, ...preview, ...(running?.warnings ?? [])]
  return {
    name,
    id,
    owner,
    version,
    contextPath,
    stateOnStartup,
    ...state,
    warnings,
    runningVersion: running?.version ?? null,
  }
}
