import type { PagedList } from '../../world/paged-list.ts';

export const userList: PagedList = {
  insert({ state }) {
    const { users } = state.tables;
    const rows = users.rows();
    const id = 1 + Math.max(0, ...rows.map((user) => user.id));
    const [first] = rows;
    if (first === undefined) throw new Error('a page that is not the last one has a user');
    const email = `inserted-${id}@example.com`;
    users.put(id, { ...first, id, email, admin: false, auditLogManage: false, edits: [] });
    users.moveToFront(id);
    return String(id);
  },
  remove({ state }, id) {
    const { users, credentials } = state.tables;
    if (credentials.rows().some(({ userId }) => userId === Number(id))) return false;
    users.delete(Number(id));
    return true;
  },
};
