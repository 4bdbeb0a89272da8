import { memo, useLayoutEffect, useRef, type RefObject } from 'react'
import { Checkbox } from './Checkbox.tsx'
import { FilterSelect } from './Combobox.tsx'
import { MultiSelect } from './Select.tsx'
import type { Property } from './property.ts'
import inline from './Inline.module.css'

export type ChoiceProperty = Extract<Property, { editor: 'checkbox' | 'select' | 'multi' }>

/**
 * Editor of a choice property. The library's control is expensive, so it re-renders only if its appearance changes;
 * callbacks are always current.
 */
export function ChoiceEditor({ property }: { property: ChoiceProperty }) {
  const latest = useRef(property)
  useLayoutEffect(() => {
    latest.current = property
  })
  return <Control property={property} latest={latest} />
}

type ControlProps = { property: ChoiceProperty; latest: RefObject<ChoiceProperty> }

const Control = memo(
  function Control({ property, latest }: ControlProps) {
    switch (property.editor) {
      case 'checkbox': {
        const { label, value, mixed } = property
        const change = (next: boolean) => latest.current.editor === 'checkbox' && latest.current.onApply(next)
        return (
          <span className={inline['value']}>
            <Checkbox label={label} hideLabel checked={value} indeterminate={mixed !== undefined} onChange={change} />
            {mixed !== undefined && <span className={inline['mixed']}>{mixed}</span>}
          </span>
        )
      }
      case 'select': {
        const change = (next: string) => latest.current.editor === 'select' && latest.current.onApply(next)
        const placeholder = property.mixed ?? property.placeholder ?? ''
        return <FilterSelect {...property} placeholder={placeholder} hideLabel inline hint={null} onChange={change} />
      }
      case 'multi': {
        const change = (next: string[]) => latest.current.editor === 'multi' && latest.current.onApply(next)
        return <MultiSelect {...property} hideLabel inline hint={null} placeholder="-" onChange={change} />
      }
    }
  },
  ({ property: before }, { property: now }) => looksOf(before) === looksOf(now) && parserOf(before) === parserOf(now),
)

/** Serialises every property that affects the appearance. */
function looksOf({ beside: _beside, ...looks }: ChoiceProperty): string {
  return JSON.stringify(looks)
}

function parserOf(property: ChoiceProperty) {
  return property.editor === 'multi' ? property.parse : undefined
}
