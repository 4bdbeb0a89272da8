import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { type PackageDatabase, packageDatabases } from '@cadmus/model/database-types'
import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { StillWaiting } from '../../commands/StillWaiting.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { StepDialog } from '../../ui/StepDialog.tsx'
import { hasEntered, openBlueprint, stepsOf, type Blueprint, type Named, type Step } from './blueprint.ts'
import { nextBlueprint } from './blueprint-flow.ts'
import { alertOf, instanceOf, isReading, packageOf } from './blueprint-rules.ts'
import { generate } from './generate.ts'
import { BlueprintStep } from './BlueprintStep.tsx'
import { lastPublished, openAgain } from './published.ts'
import { useSettings, useSettingsFailure, validate } from './use-manifest.ts'
import { reasons } from '../../ui/reasons.ts'

export type BlueprintWizardProps = {
  /** The manifest whose menu opened the wizard; null: the first step offers all manifests. */
  manifest: Named | null
  /** Database types of the licence; null while it is unknown, which allows all. */
  allowed: readonly PackageDatabase[] | null
  /** Publishes the manifest again, if it was published before. */
  again?: boolean
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

export function BlueprintWizard({ manifest, allowed, again = false, onClose }: BlueprintWizardProps) {
  const opened = openBlueprint(manifest, allowed ?? packageDatabases)
  const [state, dispatch] = useReducer(nextBlueprint, opened, first => {
    const answers = again && manifest ? lastPublished(manifest.id) : null
    return manifest && answers ? openAgain(manifest, first.allowed, answers) : first
  })
  const { working } = state
  const isGenerating = working === 'asking' || working === 'building' || working === 'publishing'
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
    if (!isGenerating) return
    if (await generate(state, dispatch, leaving.current.signal)) onClose()
  })
  const isBusy = working === 'validating' || isGenerating
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
      entered={hasEntered(state, opened)}
      onCancel={leave}
      onBack={state.step === '1' ? undefined : () => dispatch({ type: 'back' })}
      onNext={() => dispatch({ type: 'next' })}
      blocked={
        (working === 'testing' && reasons.busy) ||
        (isReading(state) && readError === null && blueprintTexts.stillLoading)
      }
      last={state.step === '5'}
      finishLabel="Generate"
      busy={isBusy}
      leavable
      {...(isGenerating ? { leaving: leaveWarning(state) } : {})}
    >
      {problem !== undefined && <Alert>{problem}</Alert>}
      {isGenerating && <ProgressBar label={progressLabel(state)} done={null} />}
      <StillWaiting key={working} waiting={working === 'asking' || working === 'publishing'} />
      <BlueprintStep state={state} dispatch={dispatch} />
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
