import { messages } from '@cadmus/model/messages'
import { useCallback, useMemo, useReducer, useState } from 'react'
import { createEntityByWizard, entitySource } from '../../api/entities.ts'
import { messageOf } from '../../api/error.ts'
import { ManifestSelect } from '../../commands/ManifestSelect.tsx'
import { entityNames, useNameCheck } from '../../commands/use-name-check.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { useSubmission } from '../../ui/FormDialog.tsx'
import { undoCreationAction } from '../../commands/restore.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { StepDialog } from '../../ui/StepDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { readCoreAttributes, unknownCoreAttributes } from './core-attributes.ts'
import {
  entityWizardRequest,
  hasEntered,
  nameProblem,
  nextEntityWizard,
  openEntityWizard,
  type EntityWizard as State,
  type EntityWizardEvent,
  whyBlocked,
} from './entity-wizard-flow.ts'
import { NewAttributes } from './NewAttributes.tsx'
import styles from './Wizards.module.css'

export type EntityWizardProps = {
  manifest?: { id: number; name: string }
  onClose: () => void
  onCreated: (entity: { id: number; name: string }) => void
}

const stepNames = { 1: 'Entity', 2: 'Take over', 3: 'Manifest', 4: 'Type attributes' } as const

export function EntityWizard({ manifest, onClose, onCreated }: EntityWizardProps) {
  const [state, send] = useReducer(nextEntityWizard, openEntityWizard(manifest ?? null))
  const [form] = useState(() => ({}))
  const { busy, failure, reset, submit } = useSubmission()
  const dispatch = (event: EntityWizardEvent) => {
    send(event)
    if (event.type !== 'back' && event.type !== 'next') reset()
  }
  const steps: State['step'][] = state.choice === 'existing' ? [1, 2, 3, 4] : [1, 3, 4]
  const last = state.step === 4

  const manifestId = state.manifest?.id
  const lookup = useMemo(() => (manifestId === undefined ? null : entityNames(manifestId)), [manifestId])
  useNameCheck(
    state.name,
    lookup,
    useCallback((taken: boolean) => send({ type: 'nameTaken', taken }), []),
  )

  async function finish() {
    const entity = await createEntityByWizard(entityWizardRequest(state), form)
    notify('success', messages.entityCreated, undoCreationAction('entity', [entity]))
    onCreated(entity)
    onClose()
  }

  return (
    <StepDialog
      title="Create Entity"
      steps={steps.map(step => stepNames[step])}
      current={steps.indexOf(state.step)}
      error={failure === null ? null : messageOf(failure, messages.failed.createEntity)}
      onCancel={onClose}
      entered={hasEntered(state, manifest ?? null)}
      onBack={state.step > 1 ? () => dispatch({ type: 'back' }) : undefined}
      onNext={() => (last ? void submit(finish) : dispatch({ type: 'next' }))}
      blocked={whyBlocked(state)}
      last={last}
      busy={busy}
    >
      {state.step === 1 && <ChooseStep state={state} dispatch={dispatch} />}
      {state.step === 2 && <TakeOverStep state={state} dispatch={dispatch} />}
      {state.step === 3 && <ManifestStep state={state} dispatch={dispatch} />}
      {last && <NewAttributes state={state} dispatch={dispatch} />}
    </StepDialog>
  )
}

type StepProps = { state: State; dispatch: (event: EntityWizardEvent) => void }

function ChooseStep({ state, dispatch }: StepProps) {
  const { core } = state
  const [isLeft, setLeft] = useState(false)
  async function choose({ id, name }: { id: number; name: string }) {
    dispatch({ type: 'core', core: { id, name, ...unknownCoreAttributes } })
    dispatch({ type: 'coreAttributes', id, attributes: await readCoreAttributes(id) })
  }
  return (
    <div className={styles['fields']}>
      <RadioGroup
        label="Entity"
        hideLabel
        value={state.choice}
        onChange={choice => dispatch({ type: 'choose', choice })}
        options={[
          { value: 'custom', label: 'Create Custom Entity', hint: 'A new entity with attributes of its own.' },
          {
            value: 'existing',
            label: 'Choose Existing Entity',
            hint: 'Start from an entity of the predefined library.',
          },
        ]}
      />
      {state.choice === 'custom' && <NameField state={state} dispatch={dispatch} />}
      {state.choice === 'existing' && (
        <SearchSelect<{ id: number; name: string }>
          label="Core entity"
          required
          placeholder="Select Entity"
          source={entitySource({ filter: 'DEFAULT' })}
          value={core && { value: String(core.id), label: core.name, data: core }}
          error={isLeft && !core ? messages.fieldRequired : null}
          onLeave={() => setLeft(true)}
          onChange={option => void choose(option.data)}
        />
      )}
    </div>
  )
}

function TakeOverStep({ state, dispatch }: StepProps) {
  const name = state.core?.name ?? ''
  return (
    <div className={styles['fields']}>
      <RadioGroup
        label={`How to use ${name}`}
        value={state.takeOver}
        onChange={takeOver => dispatch({ type: 'takeOver', takeOver })}
        options={[
          { value: 'copy', label: 'Copy', hint: `The new entity starts with the attributes of ${name} as its own.` },
          {
            value: 'extend',
            label: 'Extend',
            hint: `The new entity inherits the attributes of ${name} and adds to them.`,
          },
        ]}
      />
      <NameField state={state} dispatch={dispatch} />
    </div>
  )
}

function ManifestStep({ state, dispatch }: StepProps) {
  const { manifest } = state
  // Once shown, the field remains visible: fixing the name must not remove it while the user types.
  const [isNameShown, setNameShown] = useState(false)
  if (!isNameShown && nameProblem(state) !== undefined) setNameShown(true)
  return (
    <div className={styles['fields']}>
      <ManifestSelect
        label={messages.prompts.injectManifest}
        value={manifest}
        onChange={chosen => dispatch({ type: 'manifest', manifest: chosen })}
      />
      {isNameShown && <NameField state={state} dispatch={dispatch} />}
    </div>
  )
}

function NameField({ state, dispatch }: StepProps) {
  return (
    <TextField
      label="Name"
      required
      mono
      value={state.name}
      error={nameProblem(state) ?? null}
      onChange={name => dispatch({ type: 'name', name })}
    />
  )
}
