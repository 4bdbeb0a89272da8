import type { EntityListItem } from '@cadmus/model/contract/lists'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import {
  associatedEntity as associatedEntityRule,
  foreignKeyName,
  targetAttribute,
} from '@cadmus/model/rules/relationship'
import { takenNames } from '@cadmus/model/rules/names'
import { keyDataTypes, type KeyDataType } from '@cadmus/model/type-attribute'
import { useState, type FormEvent } from 'react'
import { entityOption, entitySource } from '../../api/entities.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { FilterSelect, SearchSelect } from '../../ui/Combobox.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useTargets } from './use-targets.ts'
import { reasons } from '../../ui/reasons.ts'
import styles from './Entity.module.css'

export type NewRelationship = {
  associatedEntity: Pick<EntityListItem, 'id' | 'name' | 'location'>
  associatedEntityTypeAttribute: string
  foreignKeyTypeAttribute: string
  foreignKeyDataType: KeyDataType
}

export type NewRelationshipDialogProps = {
  /** `manifest`: id of the manifest whose entities are listed first; -1 for none. */
  entity: { id: number; name: string; primaryKey: string | null; manifest: number }
  /**
   * Type attributes of the entity. Choosing an attribute other than the key makes it the foreign key, after
   * confirmation.
   */
  attributeNames: readonly string[]
  foreignKeyNames: readonly string[]
  onClose: () => void
  onFinish: (relationship: NewRelationship) => void
}

export function NewRelationshipDialog(props: NewRelationshipDialogProps) {
  const [associated, setAssociated] = useState<EntityListItem | null>(null)
  const [chosenTarget, setTarget] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [chosenType, setChosenType] = useState<{ type: KeyDataType; entity: number | undefined } | null>(null)
  const [touched, setTouched] = useState(false)
  const [asking, setAsking] = useState(false)

  const { targets, failure, isRead } = useTargets(associated?.id ?? null)
  const key = targets.find(attribute => attribute.isPrimaryKey)
  const target = chosenTarget ?? key?.name ?? ''
  const isTypeChosen = chosenType !== null && chosenType.entity === associated?.id
  const dataType = isTypeChosen ? chosenType.type : (key?.dataType ?? chosenType?.type ?? 'integer')
  const setDataType = (type: KeyDataType) => setChosenType({ type, entity: associated?.id })

  const problems = {
    name: foreignKeyName(name, { primaryKey: props.entity.primaryKey, taken: takenNames(props.foreignKeyNames) }),
    associated: associatedEntityRule(associated, { entityId: props.entity.id }),
    target: targetAttribute(target),
  }
  const { field } = reasons
  const blocked =
    field('Foreign Key Name', problems.name) ??
    field('Associated Entity', problems.associated) ??
    field('Target Attribute', problems.target)
  const replaces = props.attributeNames.some(own => foldName(own) === foldName(name))

  function add() {
    if (!associated) return
    props.onFinish({
      associatedEntity: associated,
      associatedEntityTypeAttribute: target,
      foreignKeyTypeAttribute: name.trim(),
      foreignKeyDataType: dataType,
    })
    props.onClose()
  }

  function finish(event: FormEvent) {
    event.preventDefault()
    setTouched(true)
    if (blocked !== undefined) return
    if (replaces) setAsking(true)
    else add()
  }

  const shown = (problem: string | undefined, filled: boolean) => (touched || filled ? (problem ?? null) : null)
  return (
    <Dialog
      title="New Relationship"
      onClose={props.onClose}
      width={440}
      entered={name !== '' || associated !== null || chosenType !== null}
      footer={
        <>
          <CloseButton />
          <Button size="dialog" variant="primary" type="submit" form="new-relationship" disabled={blocked}>
            Finish
          </Button>
        </>
      }
    >
      <form id="new-relationship" className={styles['fields']} onSubmit={finish}>
        <TextField
          label="Foreign Key Name"
          required
          mono
          value={name}
          error={shown(problems.name, name !== '')}
          onChange={setName}
        />
        <SearchSelect<EntityListItem>
          label="Associated Entity"
          required
          placeholder="Select Entity"
          source={entitySource({
            filter: 'ALL',
            excluded: { ...props.entity, why: messages.relatedToItself },
            near: props.entity.manifest,
          })}
          value={associated && entityOption(associated)}
          error={shown(problems.associated, false)}
          // Target and data type default to the key of the chosen entity.
          onChange={({ data }) => {
            setAssociated(data)
            setTarget(null)
          }}
        />
        <FilterSelect
          label="Target Attribute"
          required
          mono
          disabled={targets.length === 0}
          placeholder={associated ? 'Select Attribute' : 'Choose the associated entity first'}
          hint={isRead && targets.length === 0 ? messages.noTargets(associated?.name ?? '') : null}
          failure={failure}
          options={targets.map(attribute => ({ value: attribute.name, label: attribute.name }))}
          value={target === '' ? null : target}
          error={shown(problems.target, false)}
          onChange={chosen => {
            setTarget(chosen)
            const type = targets.find(attribute => attribute.name === chosen)?.dataType
            if (type) setDataType(type)
          }}
        />
        <FilterSelect
          label="Foreign Key Data Type"
          mono
          options={keyDataTypes.map(type => ({ value: type, label: type }))}
          value={dataType}
          onChange={setDataType}
        />
      </form>
      {asking && (
        <ConfirmDialog
          title={messages.confirm.addRelationshipTitle}
          text={messages.replacesAttribute(name.trim())}
          confirmLabel="Continue"
          onConfirm={() => add()}
          onCancel={() => setAsking(false)}
        />
      )}
    </Dialog>
  )
}
