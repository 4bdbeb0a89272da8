import type { EntityListItem } from '@cadmus/model/contract/lists'
import { messages } from '@cadmus/model/messages'
import { keyPairTexts } from '@cadmus/model/messages/key-pairs'
import { foldName } from '@cadmus/model/paths'
import {
  associatedEntity as associatedEntityRule,
  foreignKeyName,
  targetAttribute,
} from '@cadmus/model/rules/relationship'
import { takenNames } from '@cadmus/model/rules/names'
import { keyDataTypes, type KeyDataType } from '@cadmus/model/type-attribute'
import { useState } from 'react'
import { entityOption, entitySource } from '../../api/entities.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { FilterSelect, SearchSelect } from '../../ui/Combobox.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { NewRelationship } from '../../drafts/new-relationship.ts'
import { useTargets } from './use-targets.ts'
import { reasons } from '../../ui/reasons.ts'

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
  const [further, setFurther] = useState<ReadonlyMap<string, string>>(new Map())
  const [asking, setAsking] = useState(false)

  const { targets, failure, isRead } = useTargets(associated?.id ?? null)
  const key = targets.find(attribute => attribute.isPrimaryKey)
  const target = chosenTarget ?? key?.name ?? ''
  const keyNames = targets.filter(({ isPrimaryKey }) => isPrimaryKey).map(attribute => attribute.name)
  /** The other attributes of a key of several. */
  const others = keyNames.includes(target) ? keyNames.filter(other => other !== target) : []
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
      alsoBy: others.flatMap(other => {
        const own = further.get(other) ?? ''
        return own === '' ? [] : [{ name: own, target: other }]
      }),
    })
    props.onClose()
  }

  return (
    <FormDialog
      title="New Relationship"
      onClose={props.onClose}
      width={440}
      entered={name !== '' || associated !== null || chosenType !== null}
      submitLabel="Finish"
      blocked={blocked}
      onSubmit={() => (replaces ? setAsking(true) : add())}
    >
      <TextField
        label="Foreign Key Name"
        required
        mono
        value={name}
        error={name === '' ? null : (problems.name ?? null)}
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
        // Target and data type default to the key of the chosen entity.
        onChange={({ data }) => {
          setAssociated(data)
          setTarget(null)
          setFurther(new Map())
        }}
      />
      <FilterSelect
        label="Target Attribute"
        required
        mono
        disabled={targets.length === 0}
        placeholder="Select Attribute"
        reason={
          associated === null
            ? 'Select the associated entity first.'
            : isRead && targets.length === 0 && messages.noTargets(associated.name)
        }
        failure={failure}
        options={targets.map(attribute => ({ value: attribute.name, label: attribute.name }))}
        value={target === '' ? null : target}
        onChange={chosen => {
          setTarget(chosen)
          const type = targets.find(attribute => attribute.name === chosen)?.dataType
          if (type) setDataType(type)
        }}
      />
      {others.map(other => (
        <FilterSelect
          key={other}
          label={keyPairTexts.columnFor(associated?.name ?? '', other)}
          mono
          placeholder="Select Attribute"
          options={['', ...props.attributeNames, ...props.foreignKeyNames].map(own => ({
            value: own,
            label: own === '' ? keyPairTexts.noColumn : own,
          }))}
          value={further.get(other) ?? null}
          onChange={own => setFurther(new Map(further).set(other, own))}
        />
      ))}
      <FilterSelect
        label="Foreign Key Data Type"
        mono
        options={keyDataTypes.map(type => ({ value: type, label: type }))}
        value={dataType}
        onChange={setDataType}
      />
      {asking && (
        <ConfirmDialog
          title={messages.confirm.addRelationshipTitle}
          text={messages.replacesAttribute(name.trim())}
          confirmLabel="Continue"
          onConfirm={() => add()}
          onCancel={() => setAsking(false)}
        />
      )}
    </FormDialog>
  )
}
