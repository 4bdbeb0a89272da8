import { messages } from '@cadmus/model/messages'
import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { builtVersions, untilBuilt } from '../../api/await-build.ts'
import { whyFailed } from '../../api/error.ts'
import { openExplorer, previewUpload, type Instance } from '../../api/instance-calls.ts'
import { buildManifest } from '../../api/packages.ts'
import { invalidate, keys } from '../../api/query-client.ts'
import { mayOverride, outcomeKind, uploadWithConfirmation } from '../../commands/upload-package.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { confirm } from '../../workbench/confirm.ts'
import { buildFinished } from '../../workbench/build-finished.ts'
import { instanceOf, packageOf } from './blueprint-rules.ts'
import type { Blueprint } from './blueprint.ts'
import type { BlueprintEvent } from './blueprint-flow.ts'
import { rememberPublished } from './published.ts'
import { buildRequest, versionAfter } from './build-request.ts'

type Built = NonNullable<Blueprint['built']>

/**
 * Builds the package, waits for it, then publishes it or opens the exported packages. Dispatches failures; a retry
 * publishes a finished build without building again. Resolves to whether everything succeeded.
 */
export async function generate(
  state: Blueprint,
  dispatch: (event: BlueprintEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await mayPublish(state, dispatch, signal))) return false
  const built = state.built ?? (await build(state, dispatch, signal))
  if (built === null) return false
  if (state.goal === 'publish') return publish(state, built, dispatch, signal)
  buildFinished({ packageId: built.packageId, packageName: built.name })
  return true
}

/** Checks before the build that the instance is reachable and asks for confirmation to replace an existing package. */
async function mayPublish(state: Blueprint, dispatch: (event: BlueprintEvent) => void, signal: AbortSignal) {
  const instance = instanceOf(state)
  if (instance === null) return true
  try {
    const isConfirmed = await mayOverride(instance, packageOf(state), signal)
    dispatch({ type: isConfirmed ? 'agreed' : 'stopped' })
    return isConfirmed
  } catch (error) {
    failPublish(error, dispatch, signal)
    return false
  }
}

async function build(state: Blueprint, dispatch: (event: BlueprintEvent) => void, signal: AbortSignal) {
  if (state.manifest === null) return null
  try {
    const version = versionAfter(await builtVersions(packageOf(state), { signal }), state)
    dispatch({ type: 'started', version })
    const started = await buildManifest(state.manifest.id, buildRequest(state, version))
    await untilBuilt(started.packageId, signal)
    void invalidate(keys.packages)
    const built: Built = { packageId: started.packageId, name: started.packageName, version: started.version }
    notify('success', messages.packages.built(built.name))
    dispatch({ type: 'built', built })
    return built
  } catch (error) {
    if (signal.aborted) return null
    const reason = whyFailed(error)
    notify('error', messages.packages.failed.build(reason.replace(/\.$/, '')))
    dispatch({ type: 'refused', message: reason })
    return null
  }
}

async function publish(
  state: Blueprint,
  { name, version }: Built,
  dispatch: (event: BlueprintEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const instance = instanceOf(state)
  if (instance === null) return false
  try {
    if (!(await mayChangeData(instance, { name, version }, signal))) {
      dispatch({ type: 'stopped' })
      return false
    }
    const uploaded = await uploadWithConfirmation(instance, { name, version, state: 'LOADED' }, signal)
    const startAction = { label: 'Start', run: () => void start(instance, name, version) }
    const message = [messages.packages.published(name), ...uploaded.warnings].join('. ')
    notify(outcomeKind(uploaded), message, startAction, { stays: 'untilUsed' })
    rememberPublished({ ...state, built: { packageId: state.built?.packageId ?? 0, name, version } })
    return true
  } catch (error) {
    failPublish(error, dispatch, signal)
    return false
  }
}

/** Shows the instance's verdict on its data before anything is published. */
async function mayChangeData(instance: Instance, upload: { name: string; version: string }, signal: AbortSignal) {
  const warnings = await previewUpload(instance, upload, signal)
  if (warnings === null || warnings.length === 0) return true
  return confirm({
    title: blueprintTexts.verdict.title,
    text: blueprintTexts.verdict.text(upload.name, upload.version, instance.instanceUrl),
    details: warnings,
    confirmLabel: blueprintTexts.verdict.publish,
    danger: true,
  })
}

function failPublish(error: unknown, dispatch: (event: BlueprintEvent) => void, signal: AbortSignal): void {
  if (signal.aborted) return
  notify('error', messages.packages.failed.publish)
  dispatch({ type: 'refused', message: whyFailed(error) })
}

/** The package is uploaded but not serving yet. */
async function start(instance: Instance, name: string, version: string): Promise<void> {
  try {
    const uploaded = await uploadWithConfirmation(instance, { name, version, state: 'STARTED' })
    notify(outcomeKind(uploaded), uploaded.message, openExplorer(instance.instanceUrl, name), { stays: 'untilUsed' })
  } catch (error) {
    const again = { label: 'Start', run: () => void start(instance, name, version) }
    notify('error', messages.packages.failed.start(whyFailed(error)), again, { stays: 'untilUsed' })
  }
}
