import { messages } from '@cadmus/model/messages'
import type { UploadState } from '@cadmus/model/package'
import { whyFailed } from '../../api/error.ts'
import { type Instance, openExplorer } from '../../api/instance-calls.ts'
import { currentScope, type Scope } from '../../api/scope.ts'
import { outcomeKind, uploadWithConfirmation } from '../../commands/upload-package.ts'
import { notify } from '../../ui/notices.ts'

type Build = { name: string; version: string }

/** Uploads a build. The notice offers the next action: Start for a loaded package, the API explorer for a started one. */
export async function uploadBuild(
  instance: Instance,
  { name, version }: Build,
  state: UploadState,
  signal: AbortSignal,
): Promise<void> {
  const scope = currentScope()
  const uploaded = await uploadWithConfirmation(instance, { name, version, state }, { signal })
  const message = [messages.packages.published(name), ...uploaded.warnings].join('. ')
  const start = { label: 'Start', run: () => void startBuild(instance, { name, version }, scope) }
  const next = state === 'STARTED' ? openExplorer(instance.instanceUrl, name) : start
  // The notice stays when the user opens another organisation, which may have a package of that name.
  notify(outcomeKind(uploaded), message, next, { stays: 'untilUsed' })
}

async function startBuild(instance: Instance, { name, version }: Build, scope: Scope): Promise<void> {
  try {
    const uploaded = await uploadWithConfirmation(instance, { name, version, state: 'STARTED' }, { scope })
    notify(outcomeKind(uploaded), uploaded.message, openExplorer(instance.instanceUrl, name), { stays: 'untilUsed' })
  } catch (error) {
    const again = { label: 'Start', run: () => void startBuild(instance, { name, version }, scope) }
    notify('error', messages.packages.failed.start(whyFailed(error)), again, { stays: 'untilUsed' })
  }
}
