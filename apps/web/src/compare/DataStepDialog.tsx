import { columnName } from '@cadmus/model/columns'
import type { EntityComparison } from '@cadmus/model/contract/comparison'
import { type DataStep, dataStepKinds } from '@cadmus/model/data-steps'
import { isEqual } from '@cadmus/model/equal'
import { dataStepTexts as texts } from '@cadmus/model/messages/data-steps'
import { newUid } from '@cadmus/model/uid'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { comparedEntityQuery, type ComparedSides } from '../api/comparison.ts'
import { messageOf } from '../api/error.ts'
import { Alert } from '../ui/Alert.tsx'
import { FormDialog, useSubmission } from '../ui/FormDialog.tsx'
import { reasons } from '../ui/reasons.ts'
import { Segments } from '../ui/Segments.tsx'
import { Select } from '../ui/Select.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { TextField } from '../ui/TextField.tsx'
import { columnsOfBoth, emptyForm, type FieldName, formOf, stepOf } from './data-step-form.ts'
import styles from './Consequences.module.css'

type DataStepDialogProps = {
  sides: ComparedSides
  /** Entities that are on both sides. */
  entities: readonly EntityComparison[]
  /** Null: a new one. */
  step: DataStep | null
  onSave: (step: DataStep) => Promise<void>
  onClose: () => void
}

const kinds = dataStepKinds.map(value => ({ value, label: texts.kinds[value] }))

/** Edits a data step, and saves it with the manifest. */
export function DataStepDialog({ sides, entities, step, onSave, onClose }: DataStepDialogProps) {
  const [former] = useState(() => (step ? formOf(step) : emptyForm))
  const [uid] = useState(() => step?.uid ?? newUid())
  const [form, setForm] = useState(former)
  const [entity, setEntity] = useState(entities.length === 1 || step ? (entities[0]?.uid ?? '') : '')
  const { data: contents } = useQuery({ ...comparedEntityQuery(sides, entity), enabled: entity !== '' })
  const { busy, failure, reset, submit } = useSubmission()
  const columns = contents ? columnsOfBoth(contents) : []
  const read = contents && stepOf(form, uid, contents)
  const change = (part: Partial<typeof form>) => {
    setForm(now => ({ ...now, ...part }))
    reset()
  }
  const faultOf = (field: FieldName) =>
    form[field].trim() !== '' && read?.fault !== undefined && read.field === field ? read.fault : null
  const blocked = read ? (read.fault ?? false) : reasons.field(texts.entity, texts.noAttribute)
  return (
    <FormDialog
      title={step ? texts.editTitle : texts.addTitle}
      width={520}
      busy={busy}
      onClose={onClose}
      entered={!isEqual(form, former)}
      submitLabel={step ? 'Save' : 'Add'}
      blocked={blocked}
      onSubmit={() => void submit(async () => (read?.step ? onSave(read.step) : undefined))}
    >
      {failure !== null && <Alert kind="danger">{messageOf(failure, texts.failed)}</Alert>}
      <Segments label={texts.kind} options={kinds} value={form.kind} onChange={kind => change({ kind })} />
      <p className={styles['none']}>{texts.hints[form.kind]}</p>
      <Select
        label={texts.entity}
        required
        mono
        options={entities.map(one => ({ value: one.uid, label: one.after?.name ?? one.before?.name ?? '' }))}
        value={entity === '' ? null : entity}
        onChange={value => {
          setEntity(value)
          change({ attribute: '' })
        }}
      />
      <Select
        label={texts.attribute}
        required
        mono
        disabled={columns.length === 0}
        options={columns.map(column => ({ value: column.uid, label: columnName(column) }))}
        value={form.attribute === '' ? null : form.attribute}
        onChange={attribute => change({ attribute })}
      />
      {form.kind === 'map' ? (
        <TextArea
          label={texts.values}
          required
          mono
          rows={6}
          value={form.lines}
          error={faultOf('lines')}
          onChange={lines => change({ lines })}
        />
      ) : (
        <TextField
          label={form.kind === 'fill' ? texts.value : texts.from}
          required={form.kind === 'fill'}
          mono
          value={form.up}
          error={faultOf('up')}
          onChange={up => change({ up })}
        />
      )}
      {form.kind === 'derive' && (
        <TextField
          label={texts.back}
          hint={texts.backHint}
          mono
          value={form.back}
          error={faultOf('back')}
          onChange={back => change({ back })}
        />
      )}
    </FormDialog>
  )
}
