/** Values of rows and of what users send each other. */

/** Never changed in place: a change puts a new value, so rows, messages, answers and events may share one. */
export type Json = { readonly [key: string]: unknown };

export type Role = "relay" | "observer" | "author" | "member" | "moderator" | "admin" | "owner";

export interface ConnLink {
  readonly connFullLink: string;
  readonly connShortLink?: string;
}

export interface GroupProfile {
  readonly displayName: string;
  readonly fullName: string;
  readonly shortDescr?: string;
  readonly description?: string;
  readonly image?: string;
  readonly groupPreferences?: Json;
  readonly memberAdmission?: Json;
}
