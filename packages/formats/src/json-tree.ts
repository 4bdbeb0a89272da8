/** What JSON can say, as descriptions of an API are made of it; what is undefined is left out. */
export type Json = string | number | boolean | null | readonly Json[] | JsonTree
export type JsonTree = { readonly [key: string]: Json | undefined }
