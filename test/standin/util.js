"use strict";

/** `[chatType, chatId]` of a chat that messages can be sent to, else undefined. */
exports.chatInfoRef = (chat) => {
  switch (chat.type) {
    case "direct":
      return { chatType: "direct", chatId: chat.contact.contactId };
    case "group":
      return { chatType: "group", chatId: chat.groupInfo.groupId };
    case "local":
      return { chatType: "local", chatId: chat.noteFolder.noteFolderId };
    default:
      return undefined;
  }
};
