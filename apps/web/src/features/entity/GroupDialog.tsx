import type { EntityContent } from '@cadmus/model/entity'
import { type Group, groupKinds, type GroupKind, type GroupMember } from '@cadmus/model/group'
import { isEqual } from '@cadmus/model/equal'
import { groupTexts as texts } from '@cadmus/model/messages/groups'
import { foldName } from '@cadmus/model/paths'
import { groupFault } from '@cadmus/model/rules/groups'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { useState } from 'react'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { FilterSelect } from '../../ui/Combobox.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { reasons } from '../../ui/reasons.ts'
import { ItemDialog } from './ItemDialog.tsx'
import styles from './Group.module.css'

/** A column that can be a member; `uid` '' for an inherited one, which its name identifies. */
export type MemberColumn = { uid: string; name: string }

export type GroupDialogProps = {
  /** The group to change, or a new one. */
  group: Group
  isNew: boolean
  columns: readonly MemberColumn[]
  content: EntityContent
  onApply: (group: Group) => void
  onDelete: () => void
  onClose: () => void
}

/** Edits the kind, name and members of a group; Save of the entity stores it. */
export function GroupDialog({ group, isNew, columns, content, onApply, onDelete, onClose }: GroupDialogProps) {
  const [edited, setEdited] = useState(group)
  const { kind, name, members } = edited
  const fault = groupFault({ ...edited, name: name.trim() }, content)
  const change = (part: Partial<Group>) => setEdited({ ...edited, ...part })

  return (
    <ItemDialog
      title={isNew ? texts.addTitle : texts.editTitle}
      isNew={isNew}
      entered={!isEqual(edited, group)}
      width={460}
      fault={fault}
      deletion={texts.deletion}
      onApply={() => onApply({ ...edited, name: name.trim() })}
      onDelete={onDelete}
      onClose={onClose}
    >
      <Select<GroupKind>
        label="Kind"
        hint={texts.meanings[kind]}
        options={groupKinds.map(value => ({ value, label: texts.labels[value] }))}
        value={kind}
        onChange={next => change({ kind: next, members: next === 'index' ? members : members.map(ascending) })}
      />
      <TextField
        label="Name"
        hint={texts.nameHint}
        mono
        value={name}
        error={fault === texts.name ? fault : null}
        onChange={next => change({ name: next })}
      />
      <Members {...{ kind, members, columns }} onChange={next => change({ members: next })} />
    </ItemDialog>
  )
}

type MembersProps = {
  kind: GroupKind
  members: readonly GroupMember[]
  columns: readonly MemberColumn[]
  onChange: (members: GroupMember[]) => void
}

function Members({ kind, members, columns, onChange }: MembersProps) {
  const [moved, setMoved] = useState('')
  const inGroup = new Set(members.map(idOf))
  const offered = columns.filter(column => !inGroup.has(idOf(column)))

  function move(from: number, step: number, pressed: HTMLElement) {
    const member = members[from]
    const to = from + step
    if (!member) return
    onChange(members.toSpliced(from, 1).toSpliced(to, 0, member))
    setMoved(texts.movedTo(member.name, to + 1, members.length))
    // Moving an element loses its focus.
    requestAnimationFrame(() => pressed.focus())
  }

  return (
    <>
      <FilterSelect
        label={texts.addAttribute}
        mono
        options={offered.map(column => ({
          value: idOf(column),
          label: column.uid === '' ? texts.inherited(column.name) : column.name,
        }))}
        value={null}
        placeholder={offered.length === 0 ? texts.allAdded : ''}
        onChange={id => {
          const column = offered.find(one => idOf(one) === id)
          if (column) onChange([...members, { ...column, descending: false }])
        }}
      />
      <output className="visually-hidden">{moved}</output>
      {members.length > 0 && (
        <ol className={styles['members']} aria-label="Attributes of the group">
          {members.map((member, index) => (
            <li key={idOf(member)}>
              <span className={styles['name']}>{member.name}</span>
              {kind === 'index' && (
                <Checkbox
                  label="Descending"
                  checked={member.descending}
                  onChange={descending => onChange(members.with(index, { ...member, descending }))}
                />
              )}
              <IconButton
                label={`Move ${member.name} up`}
                icon={ArrowUp}
                disabled={index === 0 && reasons.first}
                onClick={event => move(index, -1, event.currentTarget)}
              />
              <IconButton
                label={`Move ${member.name} down`}
                icon={ArrowDown}
                disabled={index === members.length - 1 && reasons.last}
                onClick={event => move(index, 1, event.currentTarget)}
              />
              <IconButton
                label={`Remove ${member.name}`}
                icon={X}
                onClick={event => {
                  focusNeighbour(event.currentTarget)
                  onChange(members.toSpliced(index, 1))
                }}
              />
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

/** Focuses the same button of the next or else the previous item, because its own item goes. */
function focusNeighbour(button: HTMLElement): void {
  const item = button.closest('li')
  const neighbour = item?.nextElementSibling ?? item?.previousElementSibling
  Array.from(neighbour?.querySelectorAll('button') ?? [])
    .at(-1)
    ?.focus()
}

function idOf({ uid, name }: MemberColumn): string {
  return uid === '' ? `name ${foldName(name)}` : uid
}

function ascending(member: GroupMember): GroupMember {
  return { ...member, descending: false }
}
