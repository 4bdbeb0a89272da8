import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { type PackageDatabase, packageDatabases } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { builtVersions, untilBuilt } from '../../api/await-build.ts'
import { whyFailed } from '../../api/error.ts'
import { type Instance, previewUpload } from '../../api/instance-calls.ts'
import { buildManifest } from '../../api/packages.ts'
import { invalidate, keys } from '../../api/query-client.ts'
import { StillWaiting } from '../../commands/StillWaiting.tsx'
import { mayOverride } from '../../commands/upload-package.ts'
import { Alert } from '../../ui/Alert.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { StepDialog } from '../../ui/StepDialog.tsx'
import { reasons } from '../../ui/reasons.ts'
import { buildFinished } from '../../workbench/build-finished.ts'
import { confirm } from '../../workbench/confirm.ts'
import { type Answers, openAgain } from './answers.ts'
import { BlueprintStep } from './BlueprintStep.tsx'
import { type BlueprintEvent, nextBlueprint } from './blueprint-flow.ts'
import { alertOf, instanceOf, isReading, maySkip, packageOf } from './blueprint-rules.ts'
import { type Blueprint, hasEntered, isGenerating, type Named, openBlueprint, type Step, stepsOf } from './blueprint.ts'
import { buildRequest, versionAfter } from './build-request.ts'
import { uploadBuild } from './upload-build.ts'
import { useSettings, useSettingsFailure, validate } from './use-manifest.ts'

export type BlueprintWizardProps = {
  /** The manifest whose menu opened the wizard; null: the first step offers all manifests. */
  manifest: Named | null
  /** Database types of the licence; null while it is unknown, which allows all. */
  allowed: readonly PackageDatabase[] | null
  /** The user has chosen the manifest by opening the wizard for it: its step is answered. */
  isChosen?: boolean
  /** Answers to start from, as far as they suffice. */
  answers?: Answers
  onClose: () => void
}

const stepNames: Record<Step, string> = {
  '1': 'Select Manifest',
  '2': 'Publish / Export',
  '2a': 'Publish Target',
  '3': 'API or schema',
  '3a1': 'Database Connection',
  '3a2': 'Connection Details',
  '3a3': 'SQL Configuration',
  '4': 'Package',
  '5': 'Summary',
}

export function BlueprintWizard({ manifest, isChosen = false, allowed, answers, onClose }: BlueprintWizardProps) {
  const opened = openBlueprint(manifest, allowed ?? packageDatabases)
  const [state, dispatch] = useReducer(nextBlueprint, opened, first => {
    if (manifest && answers) return openAgain(manifest, first.allowed, answers)
    return isChosen ? nextBlueprint(first, { type: 'next' }) : first
  })
  const { working } = state
  const leaving = useRef(new AbortController())
  useSettings(state, dispatch)
  const readError = useSettingsFailure(state)?.message ?? null
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  const work = useEffectEvent(async () => {
    if (state.working === 'validating') return validate(state, dispatch, leaving.current.signal)
    if (!isGenerating(state)) return
    if (await generate(state, dispatch, leaving.current.signal)) onClose()
  })
  const isBusy = working === 'validating' || isGenerating(state)
  useEffect(() => {
    if (isBusy) void work()
  }, [isBusy])

  function leave() {
    if (working === 'building') notify('info', blueprintTexts.buildGoesOn(packageOf(state)))
    onClose()
  }

  const steps = stepsOf(state)
  // Inside the step, so that the dialog keeps its size.
  const problem = alertOf(state)
  return (
    <StepDialog
      title="Build Package"
      width={550}
      steps={steps.map(step => stepNames[step])}
      current={steps.indexOf(state.step)}
      entered={hasEntered(state)}
      onCancel={leave}
      onBack={state.step === '1' ? undefined : () => dispatch({ type: 'back' })}
      onNext={() => dispatch({ type: 'next' })}
      skip={maySkip(state) ? { label: blueprintTexts.skip, run: () => dispatch({ type: 'skip' }) } : undefined}
      blocked={
        (working === 'testing' && reasons.busy) ||
        (isReading(state) && readError === null && blueprintTexts.stillLoading)
      }
      last={state.step === '5'}
      finishLabel="Generate"
      busy={isBusy}
      leavable
      {...(isGenerating(state) ? { leaving: leaveWarning(state) } : {})}
    >
      {problem !== undefined && <Alert>{problem}</Alert>}
      {isGenerating(state) && <ProgressBar label={progressLabel(state)} done={null} />}
      <StillWaiting key={working} waiting={working === 'asking' || working === 'publishing'} />
      <BlueprintStep state={state} dispatch={dispatch} onClose={onClose} />
    </StepDialog>
  )
}

/** Warns before leaving a running job: a build continues on the server, an upload is lost. */
function leaveWarning(state: Blueprint) {
  const text =
    state.goal === 'publish' ? blueprintTexts.leaving.publishing : blueprintTexts.buildGoesOn(packageOf(state))
  return { title: blueprintTexts.leaving.title, text, confirmLabel: 'Leave' }
}

function progressLabel(state: Blueprint): string {
  const name = state.built?.name ?? packageOf(state)
  if (state.working === 'asking') return blueprintTexts.asking(instanceOf(state)?.instanceUrl ?? '')
  if (state.working === 'building') return blueprintTexts.building(name)
  return blueprintTexts.publishing(name, instanceOf(state)?.instanceUrl ?? '')
}

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
    await uploadBuild(instance, { name, version }, 'LOADED', signal)
    return true
  } catch (error) {
    failPublish(error, dispatch, signal)
    return false
  }
}

/** Asks for confirmation if the instance would refuse to start the package on its data. Nothing is published before. */
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
