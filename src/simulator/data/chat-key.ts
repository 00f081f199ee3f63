/** The number in a chat key such as `#3`. */
export const chatId = (chat: string): number => Number(chat.slice(1));
