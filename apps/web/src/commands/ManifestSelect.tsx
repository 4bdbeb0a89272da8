import { messages } from '@cadmus/model/messages'
import type { ManifestPageQuery } from '../api/lists.ts'
import { manifestSource } from '../api/manifests.ts'
import { SearchSelect, type SearchSelectProps } from '../ui/Combobox.tsx'

type Named = { id: number; name: string }
type ManifestSelectProps = Omit<SearchSelectProps<Named>, 'source' | 'placeholder' | 'value' | 'onChange'> & {
  filter?: ManifestPageQuery['filter']
  value: Named | null
  onChange: (manifest: Named) => void
}

/** Picks a manifest, by default one of the organisation's own. */
export function ManifestSelect({ filter = 'PRIVATE', value, onChange, ...field }: ManifestSelectProps) {
  return (
    <SearchSelect<Named>
      {...field}
      placeholder={messages.placeholders.selectManifest}
      source={manifestSource({ filter })}
      value={value && { value: String(value.id), label: value.name, data: value }}
      onChange={({ data: { id, name } }) => onChange({ id, name })}
    />
  )
}
