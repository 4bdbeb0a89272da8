import type { StoredState } from './package-folder.ts'
import type { RunningPackage } from './running-package.ts'
import type { PackageState, Told } from './status.ts'

/** A version on its way into the place of another. */
export type Attempt = { readonly stored: StoredState; told: Told }

export function packageState(name: string, { stored, told }: Attempt, running: RunningPackage | null): PackageState {
  const { id, owner, version, contextPath, stateOnStartup } = stored
  const { ahead = [], ...state } = told
  const warnings = [...stored.warnings, ...ahead, ...(running?.warnings ?? [])]
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
