import { messages } from '@cadmus/model/messages'
import { licensedApi } from '@cadmus/model/rules/organisation'
import { useCallback, useReducer, useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { useLicence } from '../../api/licence.ts'
import { createManifestByWizard } from '../../api/manifests.ts'
import { ManifestSelect } from '../../commands/ManifestSelect.tsx'
import { manifestNames, useNameCheck } from '../../commands/use-name-check.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { useSubmission } from '../../ui/FormDialog.tsx'
import { undoCreationAction } from '../../commands/restore.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { StepDialog } from '../../ui/StepDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import {
  hasEntered,
  isLastStep,
  manifestWizardRequest,
  nameProblem,
  nextManifestWizard,
  openManifestWizard,
  stepsOf,
  type ManifestWizard as State,
  type ManifestWizardEvent,
  whyBlocked,
} from './manifest-wizard-flow.ts'
import { MemberPicker } from './MemberPicker.tsx'
import styles from './Wizards.module.css'

export type ManifestWizardProps = {
  hasManifests: boolean
  /** Whether a pasted model gives the entities. */
  isPasted: boolean
  onClose: () => void
  onCreated: (manifest: { id: number; name: string }) => void
  /** Called when a package is being built of the manifest. */
  onGenerated: (manifestName: string) => void
}

const stepNames = { 1: 'Name', 2: 'Manifest to duplicate', 3: 'Manage Entities' } as const

export function ManifestWizard({ hasManifests, isPasted, onClose, onCreated, onGenerated }: ManifestWizardProps) {
  const [state, send] = useReducer(nextManifestWizard, openManifestWizard(hasManifests, isPasted))
  const [form] = useState(() => ({}))
  const { busy, failure, reset, submit } = useSubmission()
  const dispatch = (event: ManifestWizardEvent) => {
    send(event)
    if (event.type !== 'back' && event.type !== 'next') reset()
  }
  const steps = stepsOf(state)
  const last = isLastStep(state)
  useNameCheck(
    state.name,
    manifestNames,
    useCallback((taken: boolean) => send({ type: 'nameTaken', taken }), []),
  )

  async function finish() {
    const created = await createManifestByWizard(manifestWizardRequest(state), form)
    const { manifest, package: startedBuild, buildMessage } = created
    // With a package it is no longer as created.
    notify('success', messages.manifestCreated, startedBuild ? undefined : undoCreationAction('manifest', [manifest]))
    if (buildMessage !== '') notify('error', messages.packages.failed.build(buildMessage.replace(/\.$/, '')))
    if (startedBuild === null) onCreated(manifest)
    onClose()
    if (startedBuild !== null) onGenerated(manifest.name)
  }

  return (
    <StepDialog
      title="Create Manifest"
      steps={steps.map(step => stepNames[step])}
      current={steps.indexOf(state.step)}
      error={failure === null ? null : messageOf(failure, messages.failed.createManifest)}
      onCancel={onClose}
      entered={hasEntered(state)}
      onBack={state.step > 1 ? () => dispatch({ type: 'back' }) : undefined}
      onNext={() => (last ? void submit(finish) : dispatch({ type: 'next' }))}
      blocked={whyBlocked(state)}
      last={last}
      busy={busy}
    >
      {state.step === 1 && <NameStep state={state} dispatch={dispatch} />}
      {state.step === 2 && (
        <ManifestSelect
          label="Manifest to duplicate"
          required
          value={state.source}
          onChange={source => dispatch({ type: 'source', source })}
        />
      )}
      {state.step === 3 && (
        <MemberPicker list={state.members} onChange={members => dispatch({ type: 'members', members })} />
      )}
    </StepDialog>
  )
}

type StepProps = { state: State; dispatch: (event: ManifestWizardEvent) => void }

function NameStep({ state, dispatch }: StepProps) {
  return (
    <div className={styles['fields']}>
      <TextField
        label="Name"
        required
        mono
        value={state.name}
        error={nameProblem(state) ?? null}
        onFocus={event => event.target.select()}
        onChange={name => dispatch({ type: 'name', name })}
      />
      {state.hasManifests && !state.isPasted && (
        <RadioGroup
          label="Content"
          value={state.kind}
          onChange={kind => dispatch({ type: 'kind', kind })}
          options={[
            { value: 'empty', label: 'Empty Manifest', hint: 'Entities can be added in the last step or later.' },
            { value: 'duplicate', label: 'Duplicate Existing Manifest', hint: 'Its entities are copied.' },
          ]}
        />
      )}
      {!state.isPasted && <Generate state={state} dispatch={dispatch} />}
    </div>
  )
}

function Generate({ state, dispatch }: StepProps) {
  const withoutRest = licensedApi('REST', useLicence())
  return (
    <RadioGroup
      label="Generate"
      value={state.generateType}
      onChange={generateType => dispatch({ type: 'generateType', generateType })}
      options={[
        { value: 'Manifest', label: 'Manifest', hint: 'No package is built.' },
        { value: 'Database', label: 'Database', hint: 'Also builds a package with a database schema.' },
        {
          value: 'DatabaseApi',
          label: 'Database and API',
          hint: withoutRest ?? 'Also builds a package with a REST API.',
          disabled: withoutRest !== undefined,
        },
      ]}
    />
  )
}
